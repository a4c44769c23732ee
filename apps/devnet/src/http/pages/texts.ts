/** What the pages say, in both languages. */

const LANGUAGES = ['es', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

const TEXTS = {
  title: { en: 'Development chain', es: 'Cadena de desarrollo' },
  notice: {
    en: 'This is a development chain. There is no real money here.',
    es: 'Esta es una cadena de desarrollo. Aquí no hay dinero real.',
  },
  search: { en: 'Search', es: 'Buscar' },
  searchHint: { en: 'Transaction, address or block', es: 'Transacción, dirección o bloque' },
  notFound: { en: 'Nothing was found.', es: 'No se encontró nada.' },
  latestBlocks: { en: 'Latest blocks', es: 'Últimos bloques' },
  latestTransfers: { en: 'Latest transfers', es: 'Últimas transferencias' },
  noTransfers: { en: 'No transfers yet.', es: 'Todavía no hay transferencias.' },
  noTransactions: { en: 'This block has no transactions.', es: 'Este bloque no tiene transacciones.' },
  block: { en: 'Block', es: 'Bloque' },
  parent: { en: 'Previous block', es: 'Bloque anterior' },
  next: { en: 'Next block', es: 'Bloque siguiente' },
  id: { en: 'Id', es: 'Id' },
  time: { en: 'Time', es: 'Hora' },
  transactions: { en: 'Transactions', es: 'Transacciones' },
  transaction: { en: 'Transaction', es: 'Transacción' },
  kind: { en: 'Kind', es: 'Tipo' },
  transferTrx: { en: 'TRX transfer', es: 'Transferencia de TRX' },
  callContract: { en: 'Contract call', es: 'Llamada a un contrato' },
  createContract: { en: 'New contract', es: 'Contrato nuevo' },
  from: { en: 'From', es: 'De' },
  to: { en: 'To', es: 'Para' },
  amount: { en: 'Amount', es: 'Monto' },
  otherToken: { en: 'another token, not USDT', es: 'otro token, no es USDT' },
  requested: { en: 'Requested', es: 'Solicitado' },
  requestedTransfer: { en: 'transfer {amount} to {to}', es: 'transferir {amount} a {to}' },
  transfers: { en: 'Transfers', es: 'Transferencias' },
  nothingMoved: { en: 'No tokens were moved.', es: 'No se movió ningún token.' },
  status: { en: 'Status', es: 'Estado' },
  succeeded: { en: 'Succeeded', es: 'Exitosa' },
  failed: { en: 'Failed: {result}', es: 'Fallida: {result}' },
  waiting: { en: 'Waiting for a block', es: 'Esperando un bloque' },
  confirmations: { en: '{count} of {needed} confirmations', es: '{count} de {needed} confirmaciones' },
  confirmed: { en: 'Confirmed', es: 'Confirmada' },
  fee: { en: 'Fee', es: 'Comisión' },
  energy: { en: 'Energy', es: 'Energía' },
  address: { en: 'Address', es: 'Dirección' },
  balance: { en: 'Balance', es: 'Saldo' },
  contract: { en: 'Contract', es: 'Contrato' },
  role_tokenOwner: { en: 'owner of the USDT contract', es: 'dueño del contrato USDT' },
  role_demoWallet: { en: 'demo wallet', es: 'billetera de prueba' },
  role_faucet: { en: 'faucet', es: 'dispensador' },
  role_witness: { en: 'block producer', es: 'productor de bloques' },
  role_hotWallet: { en: 'hot wallet', es: 'billetera caliente' },
  role_coldWallet: { en: 'cold wallet', es: 'billetera fría' },
  role_usdt: { en: 'USDT contract', es: 'contrato USDT' },
  giveUsdt: { en: 'Send test USDT here', es: 'Enviar USDT de prueba aquí' },
  checkout: { en: 'Pay an invoice', es: 'Pagar una factura' },
  checkoutLead: { en: 'The demo wallet pays for you.', es: 'La billetera de prueba paga por ti.' },
  invoice: { en: 'Invoice', es: 'Factura' },
  network: { en: 'Network', es: 'Red' },
  networkName: { en: 'TRC20 on the development chain', es: 'TRC20 en la cadena de desarrollo' },
  sendTo: { en: 'Send to', es: 'Enviar a' },
  pay: { en: 'Pay {amount} USDT', es: 'Pagar {amount} USDT' },
  otherAmount: { en: 'Pay another amount', es: 'Pagar otro monto' },
  otherAmountHint: {
    en: 'Try what happens when too little or too much arrives.',
    es: 'Prueba qué pasa cuando llega de menos o de más.',
  },
  payThis: { en: 'Pay this amount', es: 'Pagar este monto' },
  badAmount: {
    en: 'Write an amount above 0 with at most 6 decimals, such as 1005.00.',
    es: 'Escribe un monto mayor que 0 con 6 decimales como máximo, por ejemplo 1005.00.',
  },
  badAddress: {
    en: 'The address is not a valid Tron address.',
    es: 'La dirección no es una dirección válida de Tron.',
  },
  refused: {
    en: 'The chain did not take the payment: {reason}',
    es: 'La cadena no aceptó el pago: {reason}',
  },
  sent: { en: 'Payment sent', es: 'Pago enviado' },
  paid: { en: 'Payment confirmed', es: 'Pago confirmado' },
  paymentFailed: { en: 'The payment failed', es: 'El pago falló' },
  dropped: {
    en: 'The payment is no longer waiting and is in no block.',
    es: 'El pago ya no está en espera y no está en ningún bloque.',
  },
  closeHint: { en: 'You can close this page now.', es: 'Ya puedes cerrar esta página.' },
  waitHint: { en: 'This page updates by itself.', es: 'Esta página se actualiza sola.' },
  payAgain: { en: 'Pay again', es: 'Pagar otra vez' },
} as const satisfies Record<string, Record<Language, string>>

type TextKey = keyof typeof TEXTS

/** A text, with its {placeholders} filled. */
export type Translate = (key: TextKey, values?: Readonly<Record<string, string>>) => string

export function translator(language: Language): Translate {
  return (key, values = {}) =>
    TEXTS[key][language].replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}

/** The language asked for by name, or the first of ours in an Accept-Language header; Spanish otherwise. */
export function chooseLanguage(asked: unknown, acceptLanguage: string | undefined): Language {
  const named = LANGUAGES.find((language) => language === asked)
  if (named !== undefined) return named
  for (const part of (acceptLanguage ?? '').slice(0, 200).split(',')) {
    const tag = part.trim().slice(0, 2).toLowerCase()
    const found = LANGUAGES.find((language) => language === tag)
    if (found !== undefined) return found
  }
  return 'es'
}
