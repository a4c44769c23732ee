/** The explorer: the newest, one transaction, one address, one block. */
import { DEVNET, decodeRaw, decodeTransferCall, encodeAddressWord, parseAddress } from '@aval/tron'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Chain } from '../../chain/chain.ts'
import type { DevWallet } from '../../chain/dev-wallet.ts'
import { formatUnits } from '../../chain/fields.ts'
import type { StoredTransaction } from '../../chain/ledger.ts'
import { latestTransfers, type TransferEntry, transfersOf, transfersOfTransaction } from '../../chain/logs.ts'
import { accountKeyOf, readAccount } from '../../chain/state.ts'
import {
  addressLink,
  blockLink,
  contextOf,
  figure,
  groups,
  type Html,
  html,
  type PageContext,
  progressOf,
  refreshWhileOpen,
  roleOf,
  sendPage,
  shortAddress,
  shortTime,
  statusLine,
  time,
  transactionLink,
} from './layout.ts'

const ROWS = 50

export function explorerPages(app: FastifyInstance, chain: Chain, wallet: DevWallet): void {
  app.get('/', async (request, reply) => {
    const context = contextOf(request)
    return sendPage(reply, context, { title: context.t('latestBlocks'), body: homeBody(chain, context) })
  })

  app.get<{ Params: { txid: string } }>('/tx/:txid', async (request, reply) => {
    const context = contextOf(request)
    const txid = request.params.txid.toLowerCase()
    const progress = progressOf(chain, txid)
    if (progress.state === 'unknown') return notFound(reply, context)
    const transaction = chain.ledger.transaction(txid)
    const body = transactionBody(chain, context, txid, transaction)
    const title = context.t('transaction')
    return sendPage(reply, context, { title, body, ...refreshWhileOpen(progress, 2) })
  })

  app.get<{ Params: { address: string } }>('/address/:address', async (request, reply) => {
    const context = contextOf(request)
    const address = parseAddress(request.params.address)
    if (address === null) return notFound(reply, context)
    const { t } = context
    const account = readAccount(chain.read(accountKeyOf(address)))
    const role = roleOf(address)
    const transfers = transfersOf(chain.ledger.store, encodeAddressWord(address), ROWS)
    // The checkout without an amount is the faucet for people: the demo wallet sends what they type.
    const faucet = new URLSearchParams({ to: address, lang: context.language })
    const body = html`<h1>${t('address')}</h1>
<section class="card stack"><div>${groups(address)}${role === null ? null : html`<div class="muted">${t(`role_${role}`)}</div>`}</div>
<div><div class="muted">${t('balance')}</div>
<div class="figure">${figure(await wallet.usdtOf(address), 'USDT')}</div>
<div class="muted">${formatUnits(account?.balance ?? 0n)} TRX</div></div>
<div><a class="button" href="/checkout?${faucet.toString()}">${t('giveUsdt')}</a></div></section>
<section class="card"><h2>${t('transfers')}</h2>${transferTable(context, transfers)}</section>`
    return sendPage(reply, context, { title: t('address'), body })
  })

  app.get<{ Params: { number: string } }>('/block/:number', async (request, reply) => {
    const context = contextOf(request)
    const number = /^\d{1,15}$/.test(request.params.number) ? Number(request.params.number) : -1
    const body = blockBody(chain, context, number)
    return body === null
      ? notFound(reply, context)
      : sendPage(reply, context, { title: `${context.t('block')} ${number}`, body })
  })

  app.get('/search', async (request, reply) => {
    const context = contextOf(request)
    const { q } = z.object({ q: z.string().max(100).catch('') }).parse(request.query)
    const text = q.trim()
    if (parseAddress(text) !== null) return reply.redirect(`/address/${text}${context.keep}`, 303)
    if (/^[0-9a-fA-F]{64}$/.test(text)) return reply.redirect(`/tx/${text.toLowerCase()}${context.keep}`, 303)
    if (/^\d{1,15}$/.test(text)) return reply.redirect(`/block/${text}${context.keep}`, 303)
    return notFound(reply, context)
  })
}

function homeBody(chain: Chain, context: PageContext): Html {
  const { t } = context
  const head = chain.head()
  const blocks = chain.ledger.blocks(head.number, 10).map(
    (
      block,
    ) => html`<tr><td>${blockLink(context, block.number)}</td><td>${shortTime(context, block.timestamp)}</td>
<td class="number">${block.txCount}</td></tr>`,
  )
  return html`<h1>${t('title')}</h1>
<div class="two"><section class="card"><h2>${t('latestBlocks')}</h2>
<table><thead><tr><th>${t('block')}</th><th>${t('time')}</th><th class="number">${t('transactions')}</th></tr></thead>
<tbody>${blocks}</tbody></table></section>
<section class="card"><h2>${t('latestTransfers')}</h2>${transferTable(context, latestTransfers(chain.ledger.store, 20))}</section></div>`
}

function transactionBody(
  chain: Chain,
  context: PageContext,
  txid: string,
  stored: StoredTransaction | null,
): Html {
  const { t } = context
  const status = html`<dt>${t('status')}</dt><dd>${statusLine(context, progressOf(chain, txid))}</dd>`
  const id = html`<dt>${t('id')}</dt><dd class="mono">${txid}</dd>`
  if (stored === null) {
    return html`<h1>${t('transaction')}</h1><section class="card"><dl class="wide">${status}${id}</dl></section>`
  }
  const { contract } = decodeRaw(stored.raw)
  const block = chain.ledger.block(stored.block)
  const transfers = transfersOfTransaction(chain.ledger.store, txid)
  const receipt = z
    .object({ fee: z.number().default(0), receipt: z.object({ energy_usage_total: z.number().default(0) }) })
    .parse(JSON.parse(stored.info))
  return html`<h1>${t('transaction')}</h1>
<section class="card"><dl class="wide">${status}${id}
<dt>${t('block')}</dt><dd>${blockLink(context, stored.block)}</dd>
<dt>${t('time')}</dt><dd>${time(context, block?.timestamp ?? 0)}</dd>
<dt>${t('kind')}</dt><dd>${kindOf(context, contract.type)}</dd>
<dt>${t('from')}</dt><dd>${addressLink(context, contract.owner)}</dd>
${contractRows(context, contract)}
<dt>${t('fee')}</dt><dd>${formatUnits(BigInt(receipt.fee))} TRX</dd>
<dt>${t('energy')}</dt><dd>${receipt.receipt.energy_usage_total}</dd></dl></section>
<section class="card"><h2>${t('transfers')}</h2>${
    transfers.length === 0
      ? html`<p class="lead">${t('nothingMoved')}</p>`
      : transferTable(context, transfers)
  }</section>`
}

function contractRows(context: PageContext, contract: ReturnType<typeof decodeRaw>['contract']): Html | null {
  const { t } = context
  if (contract.type === 'CreateSmartContract') return null
  if (contract.type === 'TransferContract') {
    return html`<dt>${t('to')}</dt><dd>${addressLink(context, contract.to)}</dd>
<dt>${t('amount')}</dt><dd>${formatUnits(contract.amount)} TRX</dd>`
  }
  const asked = decodeTransferCall(contract.data)
  const call =
    asked === null
      ? null
      : html`<dt>${t('requested')}</dt><dd>${t('requestedTransfer', { amount: formatUnits(asked.value), to: asked.to })}</dd>`
  return html`<dt>${t('contract')}</dt><dd>${addressLink(context, contract.contract)}</dd>${call}`
}

function blockBody(chain: Chain, context: PageContext, number: number): Html | null {
  const { t } = context
  const block = chain.ledger.block(number)
  if (block === null) return null
  const rows = chain.ledger.transactionsOf(number).map(
    (
      each,
    ) => html`<tr><td>${transactionLink(context, each.txid, true)}</td><td>${kindOf(context, each.type)}</td>
<td class="number">${each.result === 'SUCCESS' ? t('succeeded') : html`<span class="bad">${each.result}</span>`}</td></tr>`,
  )
  const next =
    number < chain.head().number
      ? html`<a href="/block/${number + 1}${context.keep}">${t('next')} →</a>`
      : null
  const previous =
    number > 0 ? html`<a href="/block/${number - 1}${context.keep}">← ${t('parent')}</a>` : null
  return html`<h1>${t('block')} ${number}</h1><div class="pager"><span>${previous}</span><span>${next}</span></div>
<section class="card"><dl class="wide"><dt>${t('id')}</dt><dd class="mono">${block.id}</dd>
<dt>${t('time')}</dt><dd>${time(context, block.timestamp)}</dd></dl></section>
<section class="card"><h2>${t('transactions')}</h2>${
    rows.length === 0
      ? html`<p class="lead">${t('noTransactions')}</p>`
      : html`<table><thead><tr><th>${t('id')}</th><th>${t('kind')}</th><th class="number">${t('status')}</th></tr></thead><tbody>${rows}</tbody></table>`
  }</section>`
}

function transferTable(context: PageContext, transfers: readonly TransferEntry[]): Html {
  const { t } = context
  if (transfers.length === 0) return html`<p class="lead">${t('noTransfers')}</p>`
  const rows = transfers.map((transfer) => {
    const isUsdt = transfer.contract === DEVNET.usdt
    const amount = isUsdt
      ? figure(transfer.value, 'USDT')
      : html`${formatUnits(transfer.value)}<div class="bad">${t('otherToken')}</div>`
    return html`<tr><td>${transactionLink(context, transfer.txid, true)}</td><td class="number">${amount}</td>
<td class="wide">${shortAddress(context, transfer.from)} → ${shortAddress(context, transfer.to)}</td>
<td class="wide muted">${shortTime(context, transfer.timestamp)}</td></tr>`
  })
  return html`<table class="cards"><thead><tr><th>${t('transaction')}</th><th class="number">${t('amount')}</th>
<th>${t('from')} → ${t('to')}</th><th>${t('time')}</th></tr></thead><tbody>${rows}</tbody></table>`
}

function kindOf(context: PageContext, type: string): string {
  if (type === 'TransferContract') return context.t('transferTrx')
  return context.t(type === 'CreateSmartContract' ? 'createContract' : 'callContract')
}

function notFound(reply: FastifyReply, context: PageContext): FastifyReply {
  const body = html`<section class="card"><h1>404</h1><p class="lead">${context.t('notFound')}</p></section>`
  return sendPage(reply.code(404), context, { title: context.t('notFound'), body })
}
