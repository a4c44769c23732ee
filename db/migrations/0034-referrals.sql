-- What each direct referral and everybody below them earned their sponsor: direct and master commissions as they were posted, less what
-- reversals took back. Summed up with the posting itself, since a sponsor's commissions are too many to be added up for a list.
CREATE TABLE referral_earned (
  member_id bigint NOT NULL,
  -- One whom the member introduced.
  referral_id bigint NOT NULL,
  amount bigint NOT NULL,
  PRIMARY KEY (member_id, referral_id)
);

-- The direct referral of a member under whom another stands: itself, where it is one. Null for who does not stand below. Step by step; in a
-- chain that is long, the numbering's jumps lead past the middle of it (0005).
CREATE FUNCTION referral_above(of_member bigint, below bigint) RETURNS bigint
  LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
DECLARE
  here bigint := below;
  above bigint;
  step integer := 0;
BEGIN
  LOOP
    above := (SELECT sponsor_id FROM sponsorship WHERE member_id = here);
    IF above = of_member THEN RETURN here; END IF;
    IF above IS NULL THEN RETURN NULL; END IF;
    step := step + 1;
    here := above;
    IF step % 64 = 0 THEN
      here := coalesce(downline_ancestor('unilevel', here, (SELECT depth + 1 FROM sponsorship WHERE member_id = of_member)), here);
    END IF;
  END LOOP;
END $$;

-- Both run within the functions that post, after these have locked the balances of the members in question.
CREATE FUNCTION add_referral_earned() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF (SELECT kind FROM payout_run WHERE id = NEW.run_id) <> 'direct' THEN RETURN NULL; END IF;
  INSERT INTO referral_earned (member_id, referral_id, amount)
    SELECT member_id, referral_id, sum(amount) FROM (
      SELECT i.member_id, referral_above(i.member_id, i.from_member_id) AS referral_id, coalesce(s.amount, i.amount) AS amount
      FROM payout_item i LEFT JOIN payout_share s ON s.member_id = i.member_id AND s.run_id = i.run_id AND s.leg = i.leg
      WHERE i.run_id = NEW.run_id AND i.member_id BETWEEN NEW.first_member_id AND NEW.last_member_id AND i.kind IN ('direct', 'master')) item
    WHERE referral_id IS NOT NULL GROUP BY member_id, referral_id ORDER BY member_id, referral_id
  ON CONFLICT (member_id, referral_id) DO UPDATE SET amount = referral_earned.amount + excluded.amount;
  RETURN NULL;
END $$;
CREATE TRIGGER payout_batch_adds_referral_earned AFTER UPDATE OF posted ON payout_batch
  FOR EACH ROW WHEN (NEW.posted AND NOT OLD.posted) EXECUTE FUNCTION add_referral_earned();

CREATE FUNCTION take_referral_earned() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE referral_earned e SET amount = e.amount - NEW.amount FROM payout_item i
  WHERE i.member_id = NEW.member_id AND i.run_id = NEW.run_id AND i.leg = NEW.item_leg AND i.kind IN ('direct', 'master')
    AND e.member_id = i.member_id AND e.referral_id = referral_above(i.member_id, i.from_member_id);
  RETURN NULL;
END $$;
CREATE TRIGGER reversal_part_takes_referral_earned AFTER INSERT ON reversal_part
  FOR EACH ROW WHEN (NEW.run_id IS NOT NULL) EXECUTE FUNCTION take_referral_earned();

-- What was paid before.
INSERT INTO referral_earned (member_id, referral_id, amount)
  SELECT member_id, referral_id, sum(amount) FROM (
    SELECT member_id, referral_above(member_id, from_member_id) AS referral_id, sum(amount) AS amount FROM (
      SELECT i.member_id, i.from_member_id, coalesce(s.amount, i.amount) - coalesce((SELECT sum(p.amount) FROM reversal_part p
        WHERE p.member_id = i.member_id AND p.run_id = i.run_id AND p.item_leg = i.leg), 0) AS amount
      FROM payout_item i JOIN payout_batch b ON b.run_id = i.run_id AND b.posted AND i.member_id BETWEEN b.first_member_id AND b.last_member_id
        LEFT JOIN payout_share s ON s.member_id = i.member_id AND s.run_id = i.run_id AND s.leg = i.leg
      WHERE i.kind IN ('direct', 'master')) item
    GROUP BY member_id, from_member_id) pair
  WHERE referral_id IS NOT NULL GROUP BY member_id, referral_id;

GRANT SELECT ON referral_earned TO aval_server;
GRANT SELECT, INSERT, UPDATE ON referral_earned TO aval_ledger;
GRANT SELECT ON sponsorship, downline, downline_generation TO aval_ledger;
GRANT EXECUTE ON FUNCTION referral_above(bigint, bigint), downline_ancestor(text, bigint, integer) TO aval_ledger;
