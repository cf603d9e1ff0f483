/** Where the documentation of a rule stands. */
export const helpUri = (rule: string): string => `https://github.com/convfix/convfix/blob/main/docs/rules/${rule}.md`
