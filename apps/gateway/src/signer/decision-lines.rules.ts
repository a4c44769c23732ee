/** What a decision does to whom, for a person at a terminal: a sentence, and below it all that its statement says. */
import type { DecisionRow } from '@aval/approvals'
import { formatMicro, micro } from '@aval/money'

const AMOUNTS = new Set([
  ...['amount', 'holds', 'results', 'capital', 'capital_left', 'difference', 'expected', 'found'],
  ...['sum', 'payable', 'commission', 'profit'],
])

/** Of a statement, by name, as it may be shown. */
type Said = (name: string) => string

const SENTENCES: Readonly<Record<string, (said: Said) => string>> = {
  run_release: (said) => `pay ${said('sum')} to members: release held run ${said('run')} (${said('kind')})`,
  run_prorate: (said) =>
    `pay what the pool has of ${said('payable')} to members: held run ${said('run')}, pro rata`,
  plan: (said) => `replace the plan from ${said('starts_on')}`,
  fund_pool: (said) => `move ${said('amount')} from the company’s capital into the ${said('pool')} pool`,
  explain_difference: (said) =>
    `book the difference of ${said('difference')} at ${said('address')} (${said('role')}) against the company’s capital`,
  resume_payments: (said) => `let payments go on that ${said('stopped_by')} stopped`,
  reverse_investment: (said) =>
    `reverse investment ${said('investment')} of ${said('amount')} of ${memberIn(said)}, and take back what was paid on it`,
  set_extra_percent: (said) =>
    `change the extra points of ${memberIn(said)} from ${said('from')} to ${said('to')}`,
  set_fundator: (said) => `${said('to') === 'true' ? 'make' : 'no longer have'} ${memberIn(said)} a fundator`,
}

const memberIn = (said: Said): string => `member ${said('member')} (${said('username')})`

export function decisionLines({ decisionId, kind, statement }: DecisionRow): readonly string[] {
  const said = (name: string) => shownAs(name, statement[name] ?? '')
  const sentence = SENTENCES[kind]?.(said) ?? kind
  const facts = Object.keys(statement).filter((name) => said(name) !== '')
  return [`decision ${decisionId}: ${sentence}`, ...facts.map((name) => `  ${plain(name)}: ${said(name)}`)]
}

function shownAs(name: string, text: string): string {
  const isAmount = AMOUNTS.has(name) && /^-?\d{1,18}$/.test(text)
  return isAmount ? `${formatMicro(micro(BigInt(text)))} USDT` : plain(text)
}

/** Whoever wrote it cannot move the cursor, turn the direction of writing, or begin a line that looks like ours. */
const plain = (text: string): string => text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '\u{FFFD}')
