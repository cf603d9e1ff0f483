const LIGHT = `--bg:#fbfbfa;--panel:#ffffff;--sunk:#f3f3f1;--ink:#1d1f23;--quiet:#5c6169;--line:#e1e1dd;--strong:#c9c9c3;
--error:#b3261e;--error-bg:#fdf0ee;--warning:#8a5a00;--warning-bg:#fdf5e2;--info:#1f5f99;--info-bg:#eef5fb;--good:#1b6b3a;--good-bg:#ecf6ef;
--call:#5a3fa0;--call-bg:#f3effb;--result:#17656b;--result-bg:#eaf5f5;--media:#7a4a12;--media-bg:#faf2e6;--focus:#2f6fd6;--flash:#fff1b8;`

const DARK = `--bg:#15171a;--panel:#1b1e22;--sunk:#22262b;--ink:#e4e6e9;--quiet:#a0a7b0;--line:#2d3238;--strong:#434a53;
--error:#ff8a80;--error-bg:#35201f;--warning:#f0c060;--warning-bg:#322a17;--info:#84bdf0;--info-bg:#1b2a38;--good:#7fd39b;--good-bg:#1a2e21;
--call:#c3b0f5;--call-bg:#2a2540;--result:#84d0d4;--result-bg:#1a3033;--media:#e6bd86;--media-bg:#32281a;--focus:#7db0ff;--flash:#4a431f;`

/** The look of the page: the system's own fonts, one column of text, colour only where it means something. */
export const STYLE = `
:root{${LIGHT}color-scheme:light dark;--sans:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
@media(prefers-color-scheme:dark){:root:not([data-theme=light]){${DARK}}}
:root[data-theme=dark]{${DARK}color-scheme:dark}
:root[data-theme=light]{color-scheme:light}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.5 var(--sans)}
[hidden]{display:none!important}
h1,h2,p,ol,ul,dl,dd{margin:0;padding:0}
ol,ul{list-style:none}
code,kbd{font:.87em/1.4 var(--mono);overflow-wrap:anywhere}
a{color:inherit;text-underline-offset:3px;text-decoration-color:var(--strong)}
button,select,input{font:inherit;color:inherit}
button{cursor:pointer;background:none;border:0;padding:0;text-align:inherit}
button[disabled]{cursor:default;opacity:.55}
:focus-visible{outline:2px solid var(--focus);outline-offset:2px;border-radius:4px}
.quiet{color:var(--quiet)}
.heard{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:.5rem;z-index:9;background:var(--panel);padding:.4rem .8rem}

header{display:flex;align-items:baseline;gap:1rem;height:3.25rem;line-height:3.25rem;padding:0 1.25rem;border-bottom:1px solid var(--line);background:var(--panel);position:sticky;top:0;z-index:3}
h1{font-size:1.05rem;font-weight:650;letter-spacing:-.01em}
#summary{flex:1;color:var(--quiet);white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.tools{display:flex;gap:.5rem;align-self:center;line-height:1.5}
.tools button,.pager button,dialog button,.copy{border:1px solid var(--line);border-radius:6px;padding:.15rem .6rem;background:var(--panel)}
.tools button:hover,.pager button:hover,dialog button:hover,.copy:hover{border-color:var(--strong)}

.columns{display:grid;grid-template-columns:minmax(17rem,22rem) minmax(0,1fr);align-items:start}
#side{position:sticky;top:3.25rem;height:calc(100vh - 3.25rem);display:flex;flex-direction:column;border-right:1px solid var(--line);background:var(--panel)}
.filters{padding:.9rem 1rem .6rem;display:grid;gap:.55rem;border-bottom:1px solid var(--line)}
#search,.choice{width:100%;min-width:0;border:1px solid var(--strong);border-radius:6px;padding:.35rem .6rem;background:var(--bg)}
#severities{display:flex;flex-wrap:wrap;gap:.35rem}
.severity{display:inline-flex;gap:.4rem;align-items:center;border:1px solid var(--line);border-radius:99px;padding:.1rem .6rem .1rem .4rem;font-size:.86rem}
.severity[aria-pressed=false]{color:var(--quiet);text-decoration:line-through;border-style:dashed}
#shown{font-size:.86rem}
#entries{overflow-y:auto;flex:1;padding:.4rem .4rem 1rem;overscroll-behavior:contain}
.entry{display:flex;gap:.6rem;width:100%;padding:.45rem .6rem;border-radius:7px;align-items:baseline;min-height:3.4rem}
.entry:hover{background:var(--sunk)}
.is-current>.entry{background:var(--sunk);box-shadow:inset 3px 0 0 var(--focus)}
.words{min-width:0;flex:1}
.words .message{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden;line-height:1.35;font-size:.92rem;overflow-wrap:anywhere}
.where{display:block;color:var(--quiet);font-size:.8rem;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.found.fixed .message,.found.known .message{color:var(--quiet)}
.heading{padding:.7rem .6rem .2rem}
.file{font-size:.82rem;font-weight:600;color:var(--quiet);width:100%;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.file[aria-current=true]{color:var(--ink)}
#healthy{border-top:1px solid var(--line);padding:.6rem 1rem;max-height:35vh;overflow:auto;font-size:.86rem;color:var(--quiet)}
#healthy li{overflow-wrap:anywhere}
summary{cursor:pointer}
.sign{display:inline-grid;place-items:center;flex:none;width:1.15rem;height:1.15rem;border-radius:50%;font-size:.66rem;line-height:1;font-weight:700}
.sign.error{color:var(--error);background:var(--error-bg)}
.sign.warning{color:var(--warning);background:var(--warning-bg)}
.sign.info{color:var(--info);background:var(--info-bg)}
.sign.done{color:var(--good);background:var(--good-bg)}

main{padding:1.4rem clamp(1rem,3vw,2.4rem) 5rem;min-width:0;max-width:78rem}
main:focus{outline:0}
h2{font-size:1.2rem;font-weight:650;letter-spacing:-.01em;overflow-wrap:anywhere}
.facts{color:var(--quiet);margin-top:.1rem}
.remark{margin-top:.5rem;padding:.35rem .7rem;border-radius:6px;overflow-wrap:anywhere}
.remark.bad{color:var(--error);background:var(--error-bg)}
.remark.note{color:var(--warning);background:var(--warning-bg)}
.remark.good{color:var(--good);background:var(--good-bg)}
#notes .remark:last-child,#commands:not(:empty){margin-bottom:1rem}
.command{display:flex;gap:.6rem;align-items:baseline;margin-top:.5rem}
.command code{background:var(--sunk);padding:.2rem .5rem;border-radius:5px;min-width:0}
.copy{font-size:.82rem;flex:none}
.taken{margin-top:.6rem;color:var(--quiet)}
.taken ul{padding-left:1rem}
.bar-row{display:flex;flex-wrap:wrap;gap:.4rem;margin:1rem 0 .6rem;align-items:center}
.bar-row .choice{width:auto;max-width:100%}
.tab{padding:.3rem .8rem;border-radius:7px;border:1px solid transparent;color:var(--quiet)}
.tab[aria-pressed=true]{background:var(--panel);border-color:var(--line);color:var(--ink);font-weight:600}
.tab:hover:not([disabled]){color:var(--ink)}

.turn{display:grid;grid-template-columns:3.6rem 5rem minmax(0,1fr);gap:.1rem .75rem;padding:.42rem .8rem .42rem 0;border-left:3px solid transparent;align-items:baseline}
.line{text-align:right;color:var(--quiet);font:.8rem/1.5 var(--mono);font-variant-numeric:tabular-nums}
.role{color:var(--quiet);font-size:.84rem}
.role-user.is-said>.role{color:var(--ink);font-weight:600}
.blocks{display:flex;flex-wrap:wrap;gap:.35rem .5rem;align-items:baseline;min-width:0}
.text,.thinking{flex:1 1 100%;min-width:0;overflow-wrap:anywhere}
.role-user .text{background:var(--sunk);border-radius:8px;padding:.25rem .65rem;flex:0 1 auto}
.text.nothing{flex:0 1 auto;padding:0 .5rem}
.thinking{color:var(--quiet);font-style:italic}
.what{font-weight:600;font-style:normal;font-size:.76rem;letter-spacing:.02em;margin-right:.35rem}
.size{color:var(--quiet);font-size:.78rem;margin-left:.4rem;white-space:nowrap}
.nothing{color:var(--quiet);font-style:italic}
.chip{display:inline-flex;flex-wrap:wrap;align-items:baseline;gap:.1rem .4rem;max-width:100%;min-width:0;border-radius:7px;padding:.14rem .55rem;font-size:.88rem}
.chip .what{margin:0}
.chip .size{margin:0}
.call{background:var(--call-bg);color:var(--call)}
.result{background:var(--result-bg);color:var(--result)}
.result.is-error{background:var(--error-bg);color:var(--error)}
.media{background:var(--media-bg);color:var(--media);align-items:center}
.other{background:var(--sunk);color:var(--quiet)}
.bar{display:inline-block;height:.75rem;border-radius:2px;background:currentColor;opacity:.55}
.tool{font-weight:600;overflow-wrap:anywhere}
.id{font-size:.78rem}
.said{color:var(--ink);overflow-wrap:anywhere;min-width:0}
.call .said{font:.82rem/1.45 var(--mono)}
.partner{font:.78rem/1.5 var(--mono);border-radius:5px;padding:0 .35rem;background:var(--panel);color:inherit;white-space:nowrap}
.partner:hover{text-decoration:underline}
.lone{font-size:.78rem;font-weight:600;white-space:nowrap}
.has-error{border-left-color:var(--error);background:var(--error-bg)}
.has-warning{border-left-color:var(--warning);background:var(--warning-bg)}
.has-info{border-left-color:var(--info);background:var(--info-bg)}
.is-fault{outline:2px solid currentColor;outline-offset:1px}
.text.is-fault,.thinking.is-fault{border-radius:6px;outline-color:var(--error)}
.has-warning .is-fault{outline-color:var(--warning)}
.chip.is-joined{box-shadow:0 0 0 2px currentColor}
.flash{animation:flash 1.6s ease-out}
@keyframes flash{0%,40%{background:var(--flash)}}
@media(prefers-reduced-motion:reduce){.chip.is-joined{box-shadow:0 0 0 2px currentColor}
.flash{animation:none;background:var(--flash)}}

.card{margin:0 0 .9rem 0;padding:.55rem .9rem .7rem 4.35rem;border-left:3px solid var(--strong);background:var(--panel);box-shadow:inset 0 -1px 0 var(--line)}
.card.error{border-left-color:var(--error)}
.card.warning{border-left-color:var(--warning)}
.card.info{border-left-color:var(--info)}
.card.fixed{border-left-color:var(--good)}
.card.is-current{box-shadow:0 0 0 2px var(--focus);border-radius:0 6px 6px 0}
.card.is-current .card-head:focus-visible{outline:0}
.card-head{display:flex;gap:.6rem;align-items:baseline;width:100%;font-weight:600}
.card-head .message{flex:1;min-width:0;overflow-wrap:anywhere}
.chevron{color:var(--quiet);font:1rem/1 var(--mono)}
.meta{display:flex;flex-wrap:wrap;gap:.2rem .9rem;margin-top:.15rem;font-size:.86rem;color:var(--quiet);align-items:baseline}
.state.fixable,.state.fixed{color:var(--good)}
.told{margin-top:.3rem;font-size:.9rem;overflow-wrap:anywhere}
.told b{font-weight:600;color:var(--quiet);font-size:.82rem;margin-right:.3rem}
.told.says{color:var(--ink)}
.details{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.2rem 1rem;margin-top:.6rem;padding-top:.6rem;border-top:1px solid var(--line);font-size:.88rem}
.details dt{color:var(--quiet)}
.details dd{overflow-wrap:anywhere}
.details dd code+code{margin-left:.6rem}
.link{text-decoration:underline;text-underline-offset:3px}
.folded{padding:.1rem 0 .1rem 4.2rem}
.fold{display:inline-flex;flex-wrap:wrap;gap:0 .7rem;color:var(--quiet);font-size:.86rem;padding:.25rem .7rem;border-radius:6px;border:1px dashed var(--strong)}
button.fold:hover{border-style:solid;color:var(--ink)}
.fold.gone{border-color:transparent;font-style:italic}

#sides-head,.sides{display:grid;grid-template-columns:1fr 1fr;gap:0 1px;position:relative}
#sides-head{position:sticky;top:3.25rem;z-index:2;background:var(--bg);color:var(--quiet);font-size:.82rem;font-weight:600;padding:.3rem 0;border-bottom:1px solid var(--line)}
.sides{border-bottom:1px solid var(--line)}
.side{min-width:0;padding-right:.4rem}
.side+.side{border-left:1px solid var(--line)}
.side .turn{grid-template-columns:3rem minmax(0,1fr);column-gap:.7rem}
.side .role{grid-column:2}
.side .blocks{grid-column:2}
.no-left .left,.no-right .right{background:repeating-linear-gradient(135deg,transparent 0 6px,var(--sunk) 6px 8px)}
.sides.removed .left,.sides.changed .left,.sides.moved .left .turn{background:var(--error-bg)}
.sides.added .right,.sides.changed .right,.sides.moved .right .turn{background:var(--good-bg)}
.sides.moved .left .turn,.sides.moved .right .turn{background:var(--info-bg)}
.tag{position:absolute;left:50%;top:.35rem;transform:translateX(-50%);font-size:.74rem;font-weight:600;padding:0 .5rem;border-radius:99px;background:var(--panel);border:1px solid var(--line)}
.tag.removed{color:var(--error)}.tag.added{color:var(--good)}.tag.changed{color:var(--warning)}.tag.moved{color:var(--info)}

.pager{position:fixed;right:1.2rem;bottom:1rem;display:flex;gap:.5rem;align-items:center;padding:.4rem .6rem;border:1px solid var(--line);border-radius:10px;background:var(--panel);box-shadow:0 4px 18px rgb(0 0 0/.13);z-index:4;font-size:.88rem}
#open-side{display:none}
dialog{border:1px solid var(--line);border-radius:12px;background:var(--panel);color:var(--ink);max-width:30rem;padding:1.3rem 1.5rem}
dialog::backdrop{background:rgb(0 0 0/.4)}
dialog dl{display:grid;grid-template-columns:max-content 1fr;gap:.4rem 1.2rem;margin:1rem 0}
dialog button{margin-top:1rem}
kbd{border:1px solid var(--strong);border-bottom-width:2px;border-radius:4px;padding:0 .35rem}

@media(max-width:860px){
header{padding:0 .9rem;gap:.7rem}
.wide{display:none}
#summary{font-size:.88rem}
.columns{grid-template-columns:minmax(0,1fr)}
#side{position:fixed;inset:3.25rem 0 0 0;height:auto;z-index:5;border:0;display:none;padding-bottom:4rem}
#side.is-open{display:flex}
main{padding:1rem .8rem 5.5rem}
.pager{left:.8rem;right:.8rem;bottom:.8rem;justify-content:center;z-index:6}
#open-side{display:inline-block;margin-right:auto}
.pager button{min-height:2.4rem;min-width:2.6rem}
.turn{grid-template-columns:minmax(0,1fr);gap:.15rem;padding:.5rem .3rem .5rem .7rem;position:relative}
.turn>.line{position:absolute;right:.4rem;top:.5rem}
.card{padding:.6rem .7rem .7rem .7rem}
.folded{padding-left:.7rem}
.details{grid-template-columns:minmax(0,1fr)}
.details dd{margin-bottom:.35rem}
#sides-head{display:none}
.sides{grid-template-columns:minmax(0,1fr)}
.side+.side{border-left:0;border-top:1px dashed var(--line)}
.side .turn{grid-template-columns:minmax(0,1fr)}
.side .role,.side .blocks{grid-column:1}
.sides.same .right,.no-left .left,.no-right .right{display:none}
.tag{left:auto;right:3.4rem;transform:none}
.command{flex-wrap:wrap}
}
@media print{header,#side,.pager,.tools{display:none}.columns{display:block}}
`
