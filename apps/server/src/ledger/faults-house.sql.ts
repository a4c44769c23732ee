/** What must not be of the house itself: its journals and accounts, and the guards that keep its promises. */
import { sql } from 'kysely'
import type { Questions } from './check.sql.ts'

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
  'extra_percent',
  'declared_rate',
  'plan_version',
  'investment',
  'principal_movement',
  'withdrawal_approval',
  'outgoing_transfer_booking',
  'custody_adjustment',
  'unexplained_outflow',
  'custody_address',
  'security_event',
  'audit_event',
]

/** These change, by steps that a trigger allows, and stay. */
const KEPT = ['withdrawal', 'outgoing_transfer']

/** These follow from postings and are written by their trigger alone, or by a function that can do no harm. */
const DERIVED = [
  'member_balance',
  'member_receivable',
  'member_pending',
  'house_balance',
  'period_close',
  'custody_balance',
  'custody_holding',
]

/** Written by the gateway, or by functions that check what they are given: the server reads them. */
const CHAIN = [
  'incoming_transfer',
  'outgoing_transfer',
  'custody_address',
  'custody_reading',
  'custody_adjustment',
  'unexplained_outflow',
  'payout_stop',
]

/** What the gateway must not write, and the signer neither. */
const BOOKS = [
  'posting',
  'journal',
  'withdrawal',
  'withdrawal_approval',
  'principal_movement',
  'outgoing_transfer_booking',
  'custody_adjustment',
  'custody_holding',
  'payout_stop',
  'member',
  'plan_version',
]

/** Functions with raised privileges that move money or keep it from moving, and the one role that calls them. */
const STEPS: readonly (readonly [name: string, role: string])[] = [
  ['record_incoming_transfer', 'aval_chain'],
  ['prepare_outgoing_transfer', 'aval_chain'],
  ['settle_outgoing_transfer', 'aval_chain'],
  ['expire_outgoing_transfer', 'aval_chain'],
  ['import_signature', 'aval_chain'],
  ['register_custody', 'aval_chain'],
  ['sign_outgoing_transfer', 'aval_keys'],
  ['record_custody_adjustment', 'aval_app'],
  ['stop_payouts', 'aval_app'],
  ['lift_payout_stop', 'aval_app'],
  ['enqueue_credit', 'aval_ledger'],
  ['enqueue_settlement', 'aval_ledger'],
  ['enqueue_opening', 'aval_ledger'],
]
const ROLES = ['aval_app', 'aval_chain', 'aval_keys']

const BEFORE_SEAL = ['payout_item', 'payout_page', 'payout_missed', 'binary_carry']
const WHILE_HELD = ['payout_share', 'payout_page_share']

/** Every trigger that keeps a promise, and the function it runs. */
const TRIGGERS: readonly (readonly [trigger: string, runs: string])[] = [
  ['posting_applies', 'apply_postings'],
  ...APPEND_ONLY.map((table) => [`${table}_is_append_only`, 'refuse_change'] as const),
  ...BEFORE_SEAL.map((table) => [`${table}_before_seal`, 'refuse_outside_state'] as const),
  ...WHILE_HELD.map((table) => [`${table}_while_held`, 'refuse_outside_state'] as const),
  ...KEPT.map((table) => [`${table}_is_kept`, 'refuse_change'] as const),
  ['withdrawal_is_requested', 'withdrawal_is_requested'],
  ['withdrawal_goes_forward', 'withdrawal_goes_forward'],
  ['approval_by_an_operator', 'approval_by_an_operator'],
  ['outgoing_transfer_goes_forward', 'outgoing_transfer_goes_forward'],
  ['posting_moves_custody', 'apply_postings_to_custody'],
  ['incoming_transfer_moves_holding', 'move_holding_by_transfer'],
  ['custody_adjustment_moves_holding', 'move_holding_by_adjustment'],
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
  'withdrawal_parts_add_up',
  'withdrawal_closed_once',
  'withdrawal_completed_by_a_transfer',
  'withdrawal_approval_pkey',
  'approval_by_somebody_else',
  'custody_adjustment_one_a_journal',
  'outgoing_transfer_signed_with_signature',
  'outgoing_transfer_settled_by_a_block',
  'outgoing_transfer_booking_pkey',
]

const UNIQUE = [
  'payout_run_one_a_period',
  'payout_run_by_journal',
  'outgoing_transfer_one_a_withdrawal',
  'outgoing_transfer_one_a_sweep',
  'outgoing_transfer_one_a_trx_topup',
  'outgoing_transfer_one_surplus',
]

const names = (values: readonly string[]) => sql`unnest(${sql.val([...values])}::text[])`

export const house: Questions = {
  'postings belong to no journal': sql`
    SELECT count(*)::int AS count FROM posting p WHERE NOT EXISTS (SELECT FROM journal j WHERE j.id = p.journal_id)`,
  'members have no accounts, or accounts no member': sql`
    SELECT count(*)::int AS count FROM member m FULL JOIN member_balance b ON b.member_id = m.id
    WHERE m.id IS NULL OR b.member_id IS NULL`,
  // A missing trigger counts once, wherever it is missing from.
  'guards of the ledger are missing, switched off, or open to the server': sql`
    SELECT ((SELECT count(*) FROM unnest(${TRIGGERS.map(([trigger]) => trigger)}::text[], ${TRIGGERS.map(([, runs]) => runs)}::text[])
        AS guard (name, runs) WHERE NOT EXISTS (SELECT FROM pg_trigger t JOIN pg_proc f ON f.oid = t.tgfoid
          WHERE t.tgname = guard.name AND t.tgenabled IN ('O', 'A') AND f.proname = guard.runs))
    + (SELECT count(*) FROM ${names(CONSTRAINTS)} name WHERE NOT EXISTS (
        SELECT FROM pg_constraint k WHERE k.conname = name AND k.convalidated))
    + (SELECT count(*) FROM ${names(UNIQUE)} name WHERE NOT EXISTS (
        SELECT FROM pg_index x JOIN pg_class c ON c.oid = x.indexrelid WHERE c.relname = name AND x.indisunique AND x.indisvalid))
    + (SELECT count(*) FROM ${names([...APPEND_ONLY, ...DERIVED])} name WHERE has_table_privilege('aval_app', name, 'DELETE, TRUNCATE')
        OR has_any_column_privilege('aval_app', name, 'UPDATE'))
    + (SELECT count(*) FROM ${names(DERIVED)} name WHERE has_any_column_privilege('aval_app', name, 'INSERT'))
    + (SELECT count(*) FROM ${names(CHAIN)} name WHERE has_any_column_privilege('aval_app', name, 'INSERT, UPDATE')
        OR has_table_privilege('aval_app', name, 'DELETE, TRUNCATE'))
    + (SELECT count(*) FROM ${names(KEPT)} name, ${names(ROLES)} role WHERE has_table_privilege(role, name, 'DELETE, TRUNCATE')))::int AS count`,
  'rights of the gateway or the signer reach further than their part': sql`
    SELECT ((SELECT count(*) FROM ${names(BOOKS)} name, unnest(ARRAY['aval_chain', 'aval_keys']) role
        WHERE has_any_column_privilege(role, name, 'INSERT, UPDATE') OR has_table_privilege(role, name, 'DELETE, TRUNCATE'))
    + (SELECT count(*) FROM pg_attribute a, unnest(ARRAY['aval_chain', 'aval_keys']) role
        WHERE a.attrelid = 'outgoing_transfer'::regclass AND a.attnum > 0 AND NOT a.attisdropped
          AND (has_column_privilege(role, a.attrelid, a.attnum, 'INSERT') OR (has_column_privilege(role, a.attrelid, a.attnum, 'UPDATE')
            AND NOT (role = 'aval_chain' AND a.attname IN ('seen_block', 'broadcast_at', 'broadcasts', 'reply')))))
    + (SELECT count(*) FROM unnest(${STEPS.map(([name]) => name)}::text[], ${STEPS.map(([, role]) => role)}::text[]) AS step (name, its),
        ${names(ROLES)} role JOIN pg_proc f ON true WHERE f.proname = step.name AND f.pronamespace = 'public'::regnamespace
          AND has_function_privilege(role, f.oid, 'EXECUTE') <> (role = step.its)))::int AS count`,
  'functions with raised privileges belong to a role that can do more than they need, or run what others can change': sql`
    SELECT ((SELECT count(*) FROM pg_proc f JOIN pg_roles owner ON owner.oid = f.proowner
        WHERE f.prosecdef AND f.pronamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
          AND (owner.rolname NOT IN ('aval_ledger', 'aval_jobs') OR owner.rolsuper OR owner.rolbypassrls OR owner.rolcanlogin
            OR has_function_privilege('public', f.oid, 'EXECUTE')
            OR NOT coalesce(array_to_string(f.proconfig, ',') ~ 'search_path=', false)))
    + (SELECT count(*) FROM pg_namespace n, ${names(ROLES)} role WHERE has_schema_privilege(role, n.oid, 'CREATE')))::int AS count`,
}
