/** The operators' codes as a page without scripts. It does not change under who reads it: a press brings the next ones. */
import type { Locale } from '@aval/contract'
import { escapeHtml } from '../mail/mail.presenter.ts'
import type { OperatorCodes } from './codes.commands.ts'

const TEXTS = {
  es: {
    title: 'Códigos de los operadores',
    text: 'Lo que una aplicación de autenticación mostraría ahora. Existe solo en la demostración.',
    signIn: 'Para iniciar sesión y decidir',
    approve: 'Para aprobar retiros',
    left: 'Valen {{seconds}} segundos más. Cada uno sirve una vez.',
    next: 'Actualizar',
  },
  en: {
    title: 'Codes of the operators',
    text: 'What an authenticator app would show now. Only the demo has this.',
    signIn: 'To sign in and decide',
    approve: 'To approve withdrawals',
    left: 'Good for {{seconds}} more seconds. Each works once.',
    next: 'Refresh',
  },
} as const

/** Its hash is in the page's policy. */
export const CODES_STYLE = `:root{color-scheme:light dark;--page:#f6f5f2;--card:#fff;--line:rgba(28,36,46,.09);--text:#1a222c;--muted:#5b6876}
@media (prefers-color-scheme:dark){:root{--page:#11161c;--card:#181f27;--line:rgba(214,228,245,.085);--text:#e9eef4;--muted:#94a3b4}}
*{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--text);font:14px/20px 'Public Sans',system-ui,sans-serif}
main{max-width:44rem;margin:0 auto;padding:28px 16px 48px}h1{margin:0;font-size:26px;line-height:32px;font-weight:650}
p{margin:4px 0 0;color:var(--muted)}section{margin:20px 0 12px;padding:4px 16px;background:var(--card);border:1px solid var(--line);border-radius:12px}
h2{margin:12px 0 0;font-size:15px}dl{display:grid;grid-template-columns:1fr max-content;gap:4px 16px;align-items:baseline;margin:6px 0 14px}
a{color:inherit}dt{color:var(--muted)}dd{margin:0;font:600 22px/28px ui-monospace,'SF Mono','Cascadia Mono','Liberation Mono',monospace;letter-spacing:.06em}`

const inHalves = (code: string): string => `${code.slice(0, 3)} ${code.slice(3)}`

/** @param seconds until the next ones */
export function codesPage(operators: readonly OperatorCodes[], seconds: number, locale: Locale): string {
  const texts = TEXTS[locale]
  const cards = operators.map(
    ({ username, signIn, approve }) =>
      `<section><h2>${escapeHtml(username)}</h2><dl><dt>${texts.signIn}</dt><dd>${inHalves(signIn)}</dd>${approve === null ? '' : `<dt>${texts.approve}</dt><dd>${inHalves(approve)}</dd>`}</dl></section>`,
  )
  return `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${texts.title} · Aval</title>
<link rel="icon" href="/favicon.svg"><style>${CODES_STYLE}</style></head><body><main><h1>${texts.title}</h1><p>${texts.text}</p>
${cards.join('')}<p>${texts.left.replace('{{seconds}}', String(seconds))} <a href="/dev/codes">${texts.next}</a></p></main></body></html>`
}
