-- One member's investments of the balance are so many a day of the company (a rule of the plan): each makes work for a whole upline. An older
-- plan that says nothing means 20.
CREATE FUNCTION investment_of_the_balance() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  p jsonb := (SELECT document FROM plan_version WHERE version = NEW.plan_version);
  most integer := coalesce((p->'investment'->>'balanceADay')::integer, 20);
  begun timestamptz := date_trunc('day', NEW.credited_at, p->>'timeZone');
BEGIN
  IF (SELECT count(*) FROM investment WHERE member_id = NEW.member_id AND from_balance AND credited_at >= begun) >= most THEN
    RAISE EXCEPTION 'the balance was invested often enough today' USING ERRCODE = 'check_violation', CONSTRAINT = 'balance_is_invested_so_often';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER investment_of_the_balance BEFORE INSERT ON investment FOR EACH ROW WHEN (NEW.from_balance)
  EXECUTE FUNCTION investment_of_the_balance();

DO $$
BEGIN
  GRANT CREATE ON SCHEMA public TO aval_ledger;
  REVOKE ALL ON FUNCTION investment_of_the_balance() FROM PUBLIC;
  ALTER FUNCTION investment_of_the_balance() OWNER TO aval_ledger;
  REVOKE CREATE ON SCHEMA public FROM aval_ledger;
END $$;
