/** What the pages say, in both languages. */

export const LANGUAGES = ['es', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

const en = {
  title: 'Development chain',
  notice: 'This is a development chain. There is no real money here.',
  search: 'Search',
  searchHint: 'Transaction, address or block',
  notFound: 'Nothing was found.',
  latestBlocks: 'Latest blocks',
  latestTransfers: 'Latest transfers',
  noTransfers: 'No transfers yet.',
  noTransactions: 'This block has no transactions.',
  block: 'Block',
  parent: 'Previous block',
  next: 'Next block',
  id: 'Id',
  time: 'Time',
  transactions: 'Transactions',
  transaction: 'Transaction',
  kind: 'Kind',
  transferTrx: 'TRX transfer',
  callContract: 'Contract call',
  createContract: 'New contract',
  from: 'From',
  to: 'To',
  amount: 'Amount',
  otherToken: 'another token, not USDT',
  requested: 'Requested',
  requestedTransfer: 'transfer {amount} to {to}',
  transfers: 'Transfers',
  nothingMoved: 'No tokens were moved.',
  status: 'Status',
  succeeded: 'Succeeded',
  failed: 'Failed: {result}',
  waiting: 'Waiting for a block',
  confirmations: '{count} of {needed} confirmations',
  confirmed: 'Confirmed',
  fee: 'Fee',
  energy: 'Energy',
  address: 'Address',
  balance: 'Balance',
  contract: 'Contract',
  role_tokenOwner: 'owner of the USDT contract',
  role_demoWallet: 'demo wallet',
  role_faucet: 'faucet',
  role_witness: 'block producer',
  role_hotWallet: 'hot wallet',
  role_coldWallet: 'cold wallet',
  role_usdt: 'USDT contract',
  giveUsdt: 'Send test USDT here',
  checkout: 'Pay an invoice',
  checkoutLead: 'The demo wallet pays for you.',
  invoice: 'Invoice',
  network: 'Network',
  networkName: 'TRC20 on the development chain',
  sendTo: 'Send to',
  pay: 'Pay {amount} USDT',
  otherAmount: 'Pay another amount',
  otherAmountHint: 'Try what happens when too little or too much arrives.',
  payThis: 'Pay this amount',
  badAmount: 'Write an amount above 0 with at most 6 decimals, such as 1005.00.',
  badAddress: 'The address is not a valid Tron address.',
  refused: 'The chain did not take the payment: {reason}',
  sent: 'Payment sent',
  paid: 'Payment confirmed',
  paymentFailed: 'The payment failed',
  dropped: 'The payment is no longer waiting and is in no block.',
  closeHint: 'You can close this page now.',
  waitHint: 'This page updates by itself.',
  payAgain: 'Pay again',
} as const

export type TextKey = keyof typeof en

const es: Record<TextKey, string> = {
  title: 'Cadena de desarrollo',
  notice: 'Esta es una cadena de desarrollo. Aquí no hay dinero real.',
  search: 'Buscar',
  searchHint: 'Transacción, dirección o bloque',
  notFound: 'No se encontró nada.',
  latestBlocks: 'Últimos bloques',
  latestTransfers: 'Últimas transferencias',
  noTransfers: 'Todavía no hay transferencias.',
  noTransactions: 'Este bloque no tiene transacciones.',
  block: 'Bloque',
  parent: 'Bloque anterior',
  next: 'Bloque siguiente',
  id: 'Id',
  time: 'Hora',
  transactions: 'Transacciones',
  transaction: 'Transacción',
  kind: 'Tipo',
  transferTrx: 'Transferencia de TRX',
  callContract: 'Llamada a un contrato',
  createContract: 'Contrato nuevo',
  from: 'De',
  to: 'Para',
  amount: 'Monto',
  otherToken: 'otro token, no es USDT',
  requested: 'Solicitado',
  requestedTransfer: 'transferir {amount} a {to}',
  transfers: 'Transferencias',
  nothingMoved: 'No se movió ningún token.',
  status: 'Estado',
  succeeded: 'Exitosa',
  failed: 'Fallida: {result}',
  waiting: 'Esperando un bloque',
  confirmations: '{count} de {needed} confirmaciones',
  confirmed: 'Confirmada',
  fee: 'Comisión',
  energy: 'Energía',
  address: 'Dirección',
  balance: 'Saldo',
  contract: 'Contrato',
  role_tokenOwner: 'dueño del contrato USDT',
  role_demoWallet: 'billetera de prueba',
  role_faucet: 'dispensador',
  role_witness: 'productor de bloques',
  role_hotWallet: 'billetera caliente',
  role_coldWallet: 'billetera fría',
  role_usdt: 'contrato USDT',
  giveUsdt: 'Enviar USDT de prueba aquí',
  checkout: 'Pagar una factura',
  checkoutLead: 'La billetera de prueba paga por ti.',
  invoice: 'Factura',
  network: 'Red',
  networkName: 'TRC20 en la cadena de desarrollo',
  sendTo: 'Enviar a',
  pay: 'Pagar {amount} USDT',
  otherAmount: 'Pagar otro monto',
  otherAmountHint: 'Prueba qué pasa cuando llega de menos o de más.',
  payThis: 'Pagar este monto',
  badAmount: 'Escribe un monto mayor que 0 con 6 decimales como máximo, por ejemplo 1005.00.',
  badAddress: 'La dirección no es una dirección válida de Tron.',
  refused: 'La cadena no aceptó el pago: {reason}',
  sent: 'Pago enviado',
  paid: 'Pago confirmado',
  paymentFailed: 'El pago falló',
  dropped: 'El pago ya no está en espera y no está en ningún bloque.',
  closeHint: 'Ya puedes cerrar esta página.',
  waitHint: 'Esta página se actualiza sola.',
  payAgain: 'Pagar otra vez',
}

const TEXTS: Record<Language, Record<TextKey, string>> = { en, es }

/** A text, with its {placeholders} filled. */
export type Translate = (key: TextKey, values?: Readonly<Record<string, string>>) => string

export function translator(language: Language): Translate {
  return (key, values = {}) =>
    TEXTS[language][key].replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
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
