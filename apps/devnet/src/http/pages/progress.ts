/** How far a transaction is: waiting, in a block, final; or failed, or gone. */
import type { Chain } from '../../chain/chain.ts'
import { type Html, html, type PageContext } from './layout.ts'

export type Progress =
  | { readonly state: 'unknown' }
  | { readonly state: 'waiting' }
  | { readonly state: 'failed'; readonly result: string }
  | { readonly state: 'confirming' | 'confirmed'; readonly count: number; readonly needed: number }

/** Where the transaction stands now. A transaction that was dropped is unknown. */
export function progressOf(chain: Chain, txid: string): Progress {
  const transaction = chain.ledger.transaction(txid)
  if (transaction === null) return { state: chain.ledger.isPending(txid) ? 'waiting' : 'unknown' }
  if (transaction.result !== 'SUCCESS') return { state: 'failed', result: transaction.result }
  const needed = chain.solidLag
  const isFinal = transaction.block <= chain.solid().number
  const count = Math.min(needed, chain.head().number - transaction.block)
  return { state: isFinal ? 'confirmed' : 'confirming', count, needed }
}

/** One line, and a bar while it fills. */
export function statusLine(context: PageContext, progress: Progress): Html {
  const { t } = context
  switch (progress.state) {
    case 'unknown':
      return html`<span class="bad">${t('dropped')}</span>`
    case 'waiting':
      return html`<span class="badge">${t('waiting')}</span>`
    case 'failed':
      return html`<span class="badge bad">${t('failed', { result: progress.result })}</span>`
    case 'confirmed':
      return html`<span class="badge good">✓ ${t('confirmed')}</span>`
    case 'confirming': {
      const text = t('confirmations', { count: String(progress.count), needed: String(progress.needed) })
      return html`<span>${text}</span><progress max="${progress.needed}" value="${progress.count}" aria-label="${text}"></progress>`
    }
    default:
      return progress satisfies never
  }
}
