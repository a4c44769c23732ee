-- Closed members in the list of operators; and what operators wrote about a member leaves with the other traces of a closed account.

CREATE INDEX member_closed ON member (joined_at, id) WHERE closed_at IS NOT NULL;

-- Why an account was frozen, why a second factor was released and how the person was identified say something of a person. That it happened,
-- when and by whom stays, as in the audit trail, whose details are erased at the same moment.
ALTER TABLE factor_release DROP CONSTRAINT factor_release_identified_check;
ALTER TABLE factor_release ADD CONSTRAINT factor_release_identified_check CHECK (length(identified) BETWEEN 10 AND 500 OR identified = '–');

DROP TRIGGER member_freeze_is_append_only ON member_freeze;
CREATE TRIGGER member_freeze_is_kept BEFORE DELETE OR TRUNCATE ON member_freeze FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE FUNCTION refuse_but_erasing() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF NEW.reason <> '–' OR to_jsonb(NEW) - 'reason' <> to_jsonb(OLD) - 'reason'
    OR EXISTS (SELECT FROM member WHERE id = OLD.member_id AND closed_at IS NULL) THEN
    RAISE EXCEPTION 'it stays as it was written while an account is open' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER member_freeze_is_append_only BEFORE UPDATE ON member_freeze FOR EACH ROW EXECUTE FUNCTION refuse_but_erasing();

GRANT UPDATE (reason) ON member_freeze TO aval_ledger;
GRANT UPDATE (reason, identified) ON factor_release TO aval_ledger;

CREATE FUNCTION erase_reasons_of_closed() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE member_freeze SET reason = '–' WHERE member_id = NEW.member_id AND reason <> '–';
  UPDATE factor_release SET reason = '–', identified = '–' WHERE member_id = NEW.member_id;
  RETURN NULL;
END $$;
CREATE TRIGGER closed_account_takes_reasons AFTER UPDATE OF traces_erased_at ON closed_account
  FOR EACH ROW WHEN (NEW.traces_erased_at IS NOT NULL) EXECUTE FUNCTION erase_reasons_of_closed();

-- Of accounts whose traces went before.
UPDATE member_freeze f SET reason = '–' FROM closed_account c WHERE c.member_id = f.member_id AND c.traces_erased_at IS NOT NULL;
UPDATE factor_release f SET reason = '–', identified = '–' FROM closed_account c WHERE c.member_id = f.member_id AND c.traces_erased_at IS NOT NULL;
