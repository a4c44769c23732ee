/** What must not be of the house itself: its journals and accounts, and the guards that keep its promises. */
import { sql } from 'kysely'
import type { Question } from './faults-question.sql.ts'

/** Nothing in these is ever changed; rows are added. */
const APPEND_ONLY = [
  'posting',
  'journal',
  'payout_item',
  'payout_page',
  'payout_missed',
  'payout_share',
  'payout_page_share',
  'binary_carry',
  'reversal',
  'reversal_part',
  'master_code',
  'declared_rate',
  'plan_version',
  'investment',
]

/** These follow from postings and are written by their trigger alone, or by a function that can do no harm. */
const DERIVED = ['member_balance', 'member_receivable', 'house_balance', 'period_close']

const BEFORE_SEAL = ['payout_item', 'payout_page', 'payout_missed', 'binary_carry']
const WHILE_HELD = ['payout_share', 'payout_page_share']

/** Every trigger that keeps a promise, and the function it runs. */
const TRIGGERS: readonly (readonly [trigger: string, runs: string])[] = [
  ['posting_applies', 'ledger_apply'],
  ...APPEND_ONLY.map((table) => [`${table}_is_append_only`, 'refuse_rewrite'] as const),
  ...BEFORE_SEAL.map((table) => [`${table}_before_seal`, 'refuse_outside_state'] as const),
  ...WHILE_HELD.map((table) => [`${table}_while_held`, 'refuse_outside_state'] as const),
]

const CONSTRAINTS = [
  'posting_moves_something',
  'posting_follows_the_chart',
  'posting_under_its_owner',
  'principal_not_below_zero',
  'balance_not_below_zero',
  'held_not_below_zero',
  'taken_back_not_above_earned',
  'receivable_not_below_zero',
  'house_not_below_zero',
  'payout_run_kind_check',
  'payout_run_state_check',
  'payout_item_kind_check',
  'payout_item_amount_check',
  'payout_missed_reason_check',
  'payout_page_pkey',
  'payout_item_pkey',
  'binary_carry_pkey',
  'reversal_pkey',
  'reversal_part_pkey',
]

const UNIQUE = ['payout_run_one_a_period', 'payout_run_by_journal']

const names = (values: readonly string[]) => sql`unnest(${sql.val([...values])}::text[])`

export const house: readonly Question[] = [
  {
    sentence: 'postings belong to no journal',
    count: sql`SELECT count(*)::int AS count FROM posting p WHERE NOT EXISTS (SELECT FROM journal j WHERE j.id = p.journal_id)`,
  },
  {
    sentence: 'members have no accounts, or accounts no member',
    count: sql`SELECT count(*)::int AS count FROM member m FULL JOIN member_balance b ON b.member_id = m.id
      WHERE m.id IS NULL OR b.member_id IS NULL`,
  },
  {
    // A missing trigger counts once, wherever it is missing from.
    sentence: 'guards of the ledger are missing, switched off, or open to the server',
    count: sql`SELECT ((SELECT count(*) FROM unnest(${TRIGGERS.map(([trigger]) => trigger)}::text[], ${TRIGGERS.map(([, runs]) => runs)}::text[])
          AS guard (name, runs) WHERE NOT EXISTS (SELECT FROM pg_trigger t JOIN pg_proc f ON f.oid = t.tgfoid
            WHERE t.tgname = guard.name AND t.tgenabled IN ('O', 'A') AND f.proname = guard.runs))
      + (SELECT count(*) FROM ${names(CONSTRAINTS)} name WHERE NOT EXISTS (
          SELECT FROM pg_constraint k WHERE k.conname = name AND k.convalidated))
      + (SELECT count(*) FROM ${names(UNIQUE)} name WHERE NOT EXISTS (
          SELECT FROM pg_index x JOIN pg_class c ON c.oid = x.indexrelid WHERE c.relname = name AND x.indisunique AND x.indisvalid))
      + (SELECT count(*) FROM ${names([...APPEND_ONLY, ...DERIVED])} name WHERE has_table_privilege('aval_app', name, 'DELETE, TRUNCATE')
          OR has_any_column_privilege('aval_app', name, 'UPDATE'))
      + (SELECT count(*) FROM ${names(DERIVED)} name WHERE has_any_column_privilege('aval_app', name, 'INSERT')))::int AS count`,
  },
]
