/** Renders a mail: subject, text, HTML, and the MIME message made of them. */
import type { Sender } from '../../core/mail-settings.ts'
import type { Reader } from '../../core/messages.ts'
import { type Letter, letterOf } from './letters.presenter.ts'
import { oneLine } from './mail.rules.ts'
import type { MailContent } from './mail.templates.ts'
import { type Writer, writerFor } from './writer.presenter.ts'

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
}

const FONT = "font-family:'Public Sans',system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif"
const MONO = "font-family:ui-monospace,'SF Mono','Cascadia Mono',Consolas,'Liberation Mono',monospace"
const INK = '#1a222c'
const MUTED = '#5b6876'
const LINE = '#e3e2de'

const DARK = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.page{background:#11161c!important}.card{background:#181f27!important;border-color:#2a333d!important}
.ink{color:#e9eef4!important}.muted{color:#94a3b4!important}.raised{background:#1f2832!important;border-color:#2a333d!important}
.line{border-color:#2a333d!important}.link{color:#7cc0ff!important}
.button{background:#e9eef4!important;color:#11161c!important}}`

const paragraph = (text: string) =>
  `<p class="ink" style="margin:0 0 16px;font-size:16px;line-height:24px;overflow-wrap:anywhere;color:${INK}">${escapeHtml(text)}</p>`

function quoteBlock(quoted: Letter['quoted']): string {
  if (quoted === undefined) return ''
  return `<div class="line" style="margin:8px 0 24px;padding:2px 0 2px 14px;border-left:3px solid ${LINE}">
<div class="muted" style="font-size:14px;line-height:20px;color:${MUTED}">${escapeHtml(quoted.label)}</div>
<div class="muted" style="font-size:14px;line-height:20px;word-break:break-word;overflow-wrap:anywhere;color:${MUTED}">${quoted.lines.map(escapeHtml).join('<br>')}</div></div>`
}

/** Spaced by style, so that it is copied as one word. */
function codeBlock(code: Letter['code']): string {
  if (code === undefined) return ''
  return `<div class="raised" style="margin:8px 0 24px;padding:20px 16px;text-align:center;background:#faf9f7;border:1px solid ${LINE};border-radius:12px">
<div class="muted" style="font-size:14px;line-height:20px;color:${MUTED}">${escapeHtml(code.label)}</div>
<div class="ink" style="margin:4px 0;${MONO};font-size:34px;line-height:44px;font-weight:700;letter-spacing:6px;color:${INK}">${escapeHtml(code.value)}</div>
<div class="muted" style="font-size:14px;line-height:20px;color:${MUTED}">${escapeHtml(code.terms)}</div></div>`
}

function factTable(facts: Letter['facts'] = []): string {
  if (facts.length === 0) return ''
  const cell = `padding:10px 0;border-top:1px solid ${LINE};font-size:14px;line-height:20px;vertical-align:top`
  const rows = facts.map(
    ({ label, value }) =>
      `<tr><th scope="row" class="muted line" style="${cell};padding-right:16px;text-align:left;font-weight:400;color:${MUTED}">${escapeHtml(label)}</th>
<td class="ink line" style="${cell};text-align:right;word-break:break-word;overflow-wrap:anywhere;color:${INK}">${escapeHtml(value)}</td></tr>`,
  )
  return `<table style="width:100%;margin:8px 0 24px;border-collapse:collapse">${rows.join('')}</table>`
}

function button(link: Letter['link']): string {
  if (link === undefined) return ''
  return `<p style="margin:0 0 24px"><a class="button" href="${escapeHtml(link.url)}" style="display:inline-block;padding:12px 20px;border-radius:10px;background:${INK};color:#fff;font-size:16px;line-height:20px;font-weight:600;text-decoration:none">${escapeHtml(link.label)}</a></p>`
}

function notMeBlock(notMe: Letter['notMe']): string {
  if (notMe === undefined) return ''
  const link =
    notMe.link === undefined
      ? ''
      : `<p style="margin:8px 0 0;font-size:14px;line-height:20px"><a class="link" href="${escapeHtml(notMe.link.url)}" style="color:#0b5cad;font-weight:600">${escapeHtml(notMe.link.label)}</a></p>`
  return `<div class="line" style="padding-top:16px;border-top:1px solid ${LINE}">
<p class="ink" style="margin:0 0 4px;font-size:14px;line-height:20px;font-weight:600;color:${INK}">${escapeHtml(notMe.question)}</p>
<p class="muted" style="margin:0;font-size:14px;line-height:20px;color:${MUTED}">${escapeHtml(notMe.text)}</p>${link}</div>`
}

/**
 * For old and new mail programs: tables, inline styles, nothing loaded from elsewhere. The one style sheet is for programs
 * with a dark mode; programs that drop it show the light one.
 */
function letterHtml(letter: Letter, { locale, say, zone }: Writer): string {
  const { title, paragraphs, quoted, code, facts, link, notMe } = letter
  return `<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(letter.subject)}</title><style>${DARK}</style></head>
<body class="page" style="margin:0;padding:0;background:#f6f5f2">
<table role="presentation" class="page" style="width:100%;border-collapse:collapse;background:#f6f5f2"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" style="width:100%;max-width:560px;border-collapse:collapse;${FONT}"><tr><td align="left">
<p class="ink" style="margin:0 0 16px;padding:0 4px;font-size:18px;line-height:24px;font-weight:700;color:${INK}">Aval</p>
<div class="card" style="padding:28px 24px;background:#fff;border:1px solid ${LINE};border-radius:12px">
<h1 class="ink" style="margin:0 0 16px;font-size:24px;line-height:32px;font-weight:650;color:${INK}">${escapeHtml(title)}</h1>
${paragraphs.map(paragraph).join('\n')}
${quoteBlock(quoted)}${codeBlock(code)}${factTable(facts)}${button(link)}${notMeBlock(notMe)}</div>
<p class="muted" style="margin:16px 4px 0;font-size:13px;line-height:18px;color:${MUTED}">${[zone(), say('footer'), say('never_asks')].filter(Boolean).map(escapeHtml).join('<br>')}</p>
</td></tr></table></td></tr></table></body></html>
`
}

interface RenderedMail {
  /** One line. */
  readonly subject: string
  readonly text: string
  readonly html: string
}

function letterText(letter: Letter, { say, zone }: Writer): string {
  const { title, paragraphs, quoted, code, facts = [], link, notMe } = letter
  const blocks = [
    title,
    ...paragraphs,
    quoted && [`${quoted.label}:`, ...quoted.lines.map((line) => `> ${line}`)].join('\n'),
    code && `${code.label}: ${code.value}\n${code.terms}`,
    facts.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    link && `${link.label}:\n${link.url}`,
    notMe && [notMe.question, notMe.text, notMe.link?.url].filter(Boolean).join('\n'),
    ['-- ', 'Aval', zone(), say('footer'), say('never_asks')].filter(Boolean).join('\n'),
  ]
  return `${blocks.filter(Boolean).join('\n\n')}\n`
}

/**
 * @param timeZone of the times of day
 * @throws when it cannot be written
 */
export function renderMail(content: MailContent, reader: Reader, timeZone: string): RenderedMail {
  const writer = writerFor(reader, timeZone)
  const letter = letterOf(content, writer)
  return {
    subject: oneLine(letter.subject, 200),
    text: letterText(letter, writer),
    html: letterHtml(letter, writer),
  }
}

/** Builds the MIME message. Nothing in it is read from a file or a URL. */
export async function compose(
  envelope: { from: Sender; to: string; messageId: string; locale: string; createdAt: Date },
  content: RenderedMail,
): Promise<Buffer> {
  const { from, to, messageId, locale, createdAt } = envelope
  // Not for the API, which uses other parts of this file.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const mail = new MailComposer({
    from,
    to: { name: '', address: to },
    messageId,
    date: createdAt,
    ...content,
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': locale },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return mail.compile().build()
}
