-- The books of custody move once a statement, as house balances do. A row at a time, a statement of many thousand postings made
-- as many versions of one row, and each had to pass all before it.
CREATE OR REPLACE FUNCTION custody_apply() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  WITH flow AS (
    SELECT source::text, destination::text, sum(amount) AS amount FROM fresh
    WHERE kind NOT IN ('passive', 'direct', 'master', 'binary') GROUP BY source, destination
  ), delta AS (
    SELECT account, sum(amount) AS amount
    FROM (SELECT source AS account, amount FROM flow UNION ALL SELECT destination, -amount FROM flow) both_ends
    GROUP BY account
  )
  UPDATE custody_balance b SET amount = b.amount + d.amount FROM delta d WHERE b.account = d.account;
  RETURN NULL;
END $$;
DROP TRIGGER posting_moves_custody ON posting;
CREATE TRIGGER posting_moves_custody AFTER INSERT ON posting
  REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION custody_apply();
