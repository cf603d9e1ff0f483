import type { Reporter } from '../reporter.ts'
import { pageData } from './data.ts'
import { page } from './page.ts'

/** One page for a browser, complete in itself: the conversations, what was found in them, and what the repair makes of them. */
export const html: Reporter = (report, options) => page(pageData(report, options))
