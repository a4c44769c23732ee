-- What a new invoice asks for is whole cents: amount and fee together. Older ones keep what they asked for.

CREATE FUNCTION refuse_ragged_invoice() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'an invoice asks for whole cents' USING ERRCODE = 'check_violation', CONSTRAINT = 'invoice_asks_for_whole_cents';
END $$;
CREATE TRIGGER invoice_asks_for_whole_cents BEFORE INSERT ON invoice
  FOR EACH ROW WHEN ((NEW.amount + NEW.fee) % 10000 <> 0) EXECUTE FUNCTION refuse_ragged_invoice();
