export const STYLE = `
:root { color-scheme: light dark; --page: #f6f5f2; --card: #fff; --text: #1a222c; --muted: #5b6876;
  --line: rgba(28,36,46,.09); --control: rgba(28,36,46,.16); --accent: #e49e3d; --on-accent: #1a1206;
  --link: #8a5606; --good: #1d6b43; --bad: #a02f25; --raised: #faf9f7 }
@media (prefers-color-scheme: dark) { :root { --page: #11161c; --card: #181f27; --text: #e9eef4;
  --muted: #94a3b4; --line: rgba(214,228,245,.085); --control: rgba(214,228,245,.16); --link: #e9b467;
  --good: #6fcf9b; --bad: #f0938a; --raised: #1f2832 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--text); font: 14px/20px "Public Sans", Inter, system-ui,
  -apple-system, "Segoe UI", Roboto, sans-serif; font-variant-numeric: tabular-nums }
a { color: var(--link); text-decoration: none } a:hover { text-decoration: underline }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px }
.notice { background: var(--raised); border-bottom: 1px solid var(--line); color: var(--muted);
  padding: 8px 16px; text-align: center }
header { display: flex; flex-wrap: wrap; gap: 12px 24px; align-items: center; max-width: 1120px; margin: 0 auto;
  padding: 16px 28px }
header .brand { color: var(--text); font-weight: 620; font-size: 16px }
header form { display: flex; gap: 8px; flex: 1 1 280px; max-width: 520px; margin-left: auto }
main { max-width: 1120px; margin: 0 auto; padding: 8px 28px 48px; display: grid; gap: 16px }
main.narrow { max-width: 536px }
h1 { font-size: 26px; line-height: 32px; font-weight: 620; margin: 8px 0 0 }
h2 { font-size: 16px; line-height: 24px; font-weight: 620; margin: 0 0 12px }
.lead { color: var(--muted); margin: 0 }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 20px; min-width: 0 }
.two { display: grid; gap: 16px; grid-template-columns: minmax(0, 1fr) minmax(0, 2fr) }
.figure { font-size: 27px; line-height: 34px; font-weight: 620 } .figure small { font-size: 14px;
  font-weight: 400; color: var(--muted) }
.muted { color: var(--muted) } .good { color: var(--good) } .bad { color: var(--bad) }
dl { display: grid; grid-template-columns: minmax(96px, auto) minmax(0, 1fr); gap: 10px 20px; margin: 0 }
dt { color: var(--muted) } dd { margin: 0; overflow-wrap: anywhere }
table { width: 100%; border-collapse: collapse } th { text-align: left; font-weight: 400; color: var(--muted) }
th, td { padding: 8px 12px 8px 0; border-bottom: 1px solid var(--line); vertical-align: top }
tr:last-child td { border-bottom: 0 } td.number, th.number { text-align: right }
th:last-child, td:last-child { padding-right: 0 } td .muted, td.muted, td .bad, td .mono { white-space: nowrap }
.mono { font-family: ui-monospace, "SF Mono", "Roboto Mono", Menlo, monospace; font-size: 13px;
  overflow-wrap: anywhere }
.groups { font-family: ui-monospace, "SF Mono", "Roboto Mono", Menlo, monospace; font-size: 16px; line-height: 26px;
  user-select: all; -webkit-user-select: all } .groups span { display: inline-block; margin-right: .55em }
.badge { display: inline-block; border: 1px solid var(--control); border-radius: 999px; padding: 1px 10px }
input { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--control); border-radius: 10px;
  padding: 9px 12px; width: 100%; min-width: 0 } input[aria-invalid] { border-color: var(--bad) }
button, .button { font: inherit; font-weight: 620; color: inherit; background: transparent; cursor: pointer;
  border: 1px solid var(--control); border-radius: 10px; padding: 9px 16px; display: inline-block; text-align: center }
button.primary { background: var(--accent); border-color: transparent; color: var(--on-accent); width: 100%;
  padding: 13px 16px; font-size: 16px }
button:hover, .button:hover { border-color: var(--muted); text-decoration: none }
button.primary:hover { filter: brightness(1.06) }
details { border-top: 1px solid var(--line); margin-top: 16px; padding-top: 12px }
summary { cursor: pointer; color: var(--link) } details form { display: grid; gap: 8px; margin-top: 12px }
.row { display: flex; gap: 8px } .row button { flex: none }
progress { width: 100%; height: 8px; border: 0; border-radius: 999px; overflow: hidden; appearance: none;
  background: var(--line) } progress::-webkit-progress-bar { background: var(--line) }
progress::-webkit-progress-value { background: var(--accent); border-radius: 999px }
progress::-moz-progress-bar { background: var(--accent) }
.stack { display: grid; gap: 16px } .pager { display: flex; justify-content: space-between; gap: 12px }
@media (max-width: 1060px) { .two { grid-template-columns: minmax(0, 1fr) } }
@media (max-width: 720px) { header, main { padding-left: 16px;
  padding-right: 16px } header form { margin-left: 0 } .card { padding: 16px }
  dl.wide { grid-template-columns: minmax(0, 1fr); gap: 2px } dl.wide dd { margin-bottom: 10px }
  table.cards thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden }
  table.cards tr { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 2px 12px; padding: 10px 0;
    border-bottom: 1px solid var(--line) } table.cards tr:last-child { border-bottom: 0 }
  table.cards td { border: 0; padding: 0 } table.cards td.wide { grid-column: 1 / -1 } }
`

/** A calm mark in the accent: an A whose bar is the ground it stands on. */
export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#181f27"/>' +
  '<path d="M9 23 16 8l7 15M7 25h18" fill="none" stroke="#e49e3d" stroke-width="2.5" stroke-linecap="round" ' +
  'stroke-linejoin="round"/></svg>'
