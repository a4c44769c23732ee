-- What operators find members by, and what they write down about them.

-- The beginning of an e-mail, in the order of code points so that it is a range whatever the database's order is.
CREATE INDEX member_identifier_by_email ON member_identifier (value COLLATE "C") INCLUDE (member_id, former_since) WHERE kind = 'email';
-- Phones end alike with and without the code of the country.
CREATE INDEX member_by_phone ON member ((reverse(ltrim(phone_number, '+'))) COLLATE "C") WHERE phone_number <> '';
-- Exactly this amount.
CREATE INDEX withdrawal_by_amount ON withdrawal (amount, id);
CREATE INDEX investment_by_amount ON investment (amount, id);
CREATE INDEX deposit_credit_by_amount ON deposit_credit (amount, credited_at);

-- The orders and the rare marks of the members' list. There is none by balance: each payment changes the balance, and would have to move
-- an entry of the index as well.
CREATE INDEX member_by_joining ON member (joined_at, id);
CREATE INDEX member_fundators ON member (joined_at, id) WHERE is_fundator;
CREATE INDEX member_balance_by_principal ON member_balance (principal, member_id);

-- What operators write down for each other about a member. Nobody changes a note; another one corrects it.
CREATE TABLE member_note (
  member_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  author_id bigint NOT NULL,
  text text NOT NULL CHECK (length(text) BETWEEN 1 AND 2000),
  -- System time.
  at timestamptz NOT NULL,
  PRIMARY KEY (member_id, id)
);
-- Deleted with a closed account alone.
CREATE TRIGGER member_note_is_append_only BEFORE UPDATE OR TRUNCATE ON member_note
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER member_note_is_kept BEFORE DELETE ON member_note FOR EACH ROW EXECUTE FUNCTION refuse_unless_closed();
GRANT SELECT, INSERT ON member_note TO aval_server;
GRANT SELECT, DELETE ON member_note TO aval_ledger;

-- A note says something of a person: it goes with the other traces of a closed account (purge_closed_accounts).
CREATE FUNCTION delete_notes_of_closed() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM member_note WHERE member_id = NEW.member_id;
  RETURN NULL;
END $$;
CREATE TRIGGER closed_account_takes_its_notes AFTER UPDATE OF traces_erased_at ON closed_account
  FOR EACH ROW WHEN (NEW.traces_erased_at IS NOT NULL) EXECUTE FUNCTION delete_notes_of_closed();
