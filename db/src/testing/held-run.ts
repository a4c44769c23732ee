/**
 * Statements that seal and hold a run whose pages a test wrote by hand, as if it had been computed twice. No plan pays such a run, so only the
 * owner of the tables can.
 */
export const holdByHand = (run: number | string | bigint, objections = '[]'): string => `
  BEGIN;
  ALTER TABLE payout_run DISABLE TRIGGER payout_run_seals;
  UPDATE payout_run r SET state = 'sealed', items_hash = seal_payout_run(r.id), item_count = p.items, item_sum = p.amount, payable = p.amount
    FROM (SELECT coalesce(sum(item_count), 0) AS items, coalesce(sum(item_sum), 0) AS amount FROM payout_page WHERE run_id = ${run}) p WHERE r.id = ${run};
  ALTER TABLE payout_run ENABLE TRIGGER payout_run_seals;
  INSERT INTO payout_audit (run_id, verdict, items_hash, item_count, item_sum, differences, version)
    SELECT id, 'matches', items_hash, item_count, item_sum, '[]', 'by hand' FROM payout_run WHERE id = ${run};
  SET LOCAL ROLE aval_ledger;
  UPDATE payout_run SET state = 'held', objections = '${objections}' WHERE id = ${run};
  COMMIT`
