/** The outbox as pages without scripts, as their content security policy requires. */
import type { Locale } from '@aval/contract'
import { readerOf } from '../../core/messages.ts'
import { escapeHtml } from './mail.presenter.ts'
import type { StoredMail } from './outbox.ts'
import { type Writer, writerFor } from './writer.presenter.ts'

/** Its hash is in the list's policy. */
export const OUTBOX_STYLE = `:root{color-scheme:light dark;--page:#f6f5f2;--card:#fff;--raised:#faf9f7;--line:rgba(28,36,46,.09);--strong:rgba(28,36,46,.16);--text:#1a222c;--muted:#5b6876}
@media (prefers-color-scheme:dark){:root{--page:#11161c;--card:#181f27;--raised:#1f2832;--line:rgba(214,228,245,.085);--strong:rgba(214,228,245,.16);--text:#e9eef4;--muted:#94a3b4}}
*{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--text);font:14px/20px 'Public Sans',system-ui,sans-serif}
main{max-width:52rem;margin:0 auto;padding:28px 16px 48px}a{color:inherit}
header{display:flex;flex-wrap:wrap;gap:12px 16px;align-items:flex-start;justify-content:space-between;margin-bottom:20px}
header>:first-child{flex:1 1 16rem}h1{margin:0;font-size:26px;line-height:32px;font-weight:650;overflow-wrap:anywhere}h2{margin:24px 0 8px;font-size:14px;line-height:20px;font-weight:600}
p{margin:4px 0 0}.muted,dt,time{color:var(--muted)}
.card{background:var(--card);border:1px solid var(--line);border-radius:12px;overflow:hidden}
.button{flex:none;padding:7px 14px;border:1px solid var(--strong);border-radius:10px;background:var(--card);text-decoration:none}
ul{margin:0;padding:0;list-style:none}li+li{border-top:1px solid var(--line)}
li a{display:grid;grid-template-columns:1fr auto;gap:2px 16px;padding:12px 16px;text-decoration:none}
li a:hover{background:var(--raised)}li b{grid-column:1/-1;font-weight:600;overflow-wrap:anywhere}li span{overflow-wrap:anywhere;min-width:0}
a:focus-visible{outline:2px solid currentColor;outline-offset:-2px;border-radius:10px}
time{font-variant-numeric:tabular-nums}li time{white-space:nowrap}
dl{display:grid;grid-template-columns:max-content 1fr;gap:6px 16px;margin:0;padding:16px}dd{margin:0;overflow-wrap:anywhere}
iframe{display:block;width:100%;height:62rem;border:0;background:var(--raised)}
pre{margin:0;padding:16px;font:13px/20px ui-monospace,'SF Mono','Cascadia Mono','Liberation Mono',monospace;white-space:pre-wrap;overflow-wrap:anywhere}
.empty{padding:40px 16px;text-align:center}@media (max-width:30rem){time{grid-column:1/-1}}`

/** In UTC: only developers see these pages. */
const writerIn = (locale: Locale) => writerFor(readerOf(locale, null), 'UTC')

function page({ locale, say }: Writer, title: string, content: string): string {
  return `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${escapeHtml(title)} · Aval ${escapeHtml(say('outbox_title'))}</title>
<link rel="icon" href="/favicon.svg"><style>${OUTBOX_STYLE}</style></head><body><main>${content}</main></body></html>`
}

const when = ({ instant }: Writer, at: Date) =>
  `<time datetime="${at.toISOString()}">${escapeHtml(instant(at))} UTC</time>`

/** @param stored newest first */
export function outboxPage(stored: readonly StoredMail[], locale: Locale): string {
  const writer = writerIn(locale)
  const items = stored.map(
    (mail) =>
      `<li><a href="/dev/mail/${mail.name}"><b>${escapeHtml(mail.subject)}</b><span class="muted">${escapeHtml(mail.to)}</span>${when(writer, mail.at)}</a></li>`,
  )
  const list =
    items.length === 0
      ? `<p class="empty muted">${escapeHtml(writer.say('outbox_empty'))}</p>`
      : `<ul>${items.join('')}</ul>`
  const count = items.length === 0 ? '' : writer.say('outbox_count', { count: String(items.length) })
  return page(
    writer,
    writer.say('outbox_title'),
    `<header><div><h1>${escapeHtml(writer.say('outbox_title'))}</h1><p class="muted">${escapeHtml(writer.say('outbox_text'))}</p></div>
<a class="button" href="/dev/mail">${escapeHtml(writer.say('outbox_refresh'))}</a></header>
<div class="card">${list}</div><p class="muted">${escapeHtml(count)}</p>`,
  )
}

/** The message in a sandboxed frame; its links open in a new tab. */
function frame(mail: StoredMail, title: string): string {
  const html = mail.html.replace('<head>', '<head><base target="_blank">')
  return `<iframe title="${escapeHtml(title)}" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${escapeHtml(html)}"></iframe>`
}

export function messagePage(mail: StoredMail, locale: Locale): string {
  const writer = writerIn(locale)
  const { say } = writer
  const heads = [
    [say('outbox_to'), escapeHtml(mail.to)],
    [say('outbox_from'), escapeHtml(mail.from)],
    [say('outbox_date'), when(writer, mail.at)],
    [say('outbox_id'), escapeHtml(mail.messageId)],
  ].map(([label, value]) => `<dt>${escapeHtml(label ?? '')}</dt><dd>${value}</dd>`)
  return page(
    writer,
    mail.subject,
    `<header><h1>${escapeHtml(mail.subject)}</h1><a class="button" href="/dev/mail">${escapeHtml(say('outbox_back'))}</a></header>
<div class="card"><dl>${heads.join('')}</dl></div>
<h2>${escapeHtml(say('outbox_html'))}</h2><div class="card">${frame(mail, say('outbox_html'))}</div>
<h2>${escapeHtml(say('outbox_plain'))}</h2><div class="card"><pre>${escapeHtml(mail.text)}</pre></div>`,
  )
}
