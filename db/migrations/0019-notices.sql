-- Notices: that something of a member changed, told to the API when the transaction commits. They carry no amount. A payload is a
-- kind and the members it is about: 'money 17', 'money 1-65536', 'withdrawals 5,9'. Postings tell of themselves (0002).

-- PostgreSQL takes 8,000 bytes a notice: 380 ids of 19 digits stay below.
CREATE FUNCTION notify_members(kind text, members bigint[]) RETURNS void LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  FOR place IN 1 .. coalesce(cardinality(members), 0) BY 380 LOOP
    PERFORM pg_notify('member_notices', kind || ' ' || array_to_string(members[place : place + 379], ','));
  END LOOP;
END $$;

-- Called by triggers, with the rights of the role that writes.
GRANT EXECUTE ON FUNCTION notify_members(text, bigint[]) TO aval_server, aval_gateway, aval_ledger;

CREATE FUNCTION notify_of_withdrawal() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM notify_members('withdrawals', ARRAY[NEW.member_id]);
  RETURN NULL;
END $$;
CREATE TRIGGER withdrawal_tells AFTER INSERT OR UPDATE OF state ON withdrawal FOR EACH ROW EXECUTE FUNCTION notify_of_withdrawal();

-- Its stages between approved and completed are those of its transfer. Broadcasting again is no news.
CREATE FUNCTION notify_of_outgoing_transfers() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM notify_members('withdrawals', (SELECT array_agg(DISTINCT n.member_id) FROM fresh n JOIN stale o USING (txid)
    WHERE n.purpose = 'withdrawal'
      AND (n.state, n.broadcast_at IS NULL, n.seen_block) IS DISTINCT FROM (o.state, o.broadcast_at IS NULL, o.seen_block)));
  RETURN NULL;
END $$;
CREATE TRIGGER outgoing_transfer_tells AFTER UPDATE ON outgoing_transfer
  REFERENCING OLD TABLE AS stale NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION notify_of_outgoing_transfers();

-- Seen, and gone again.
CREATE FUNCTION notify_of_unconfirmed() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM notify_members('deposits', (SELECT array_agg(DISTINCT member_id) FROM moved WHERE member_id > 0));
  RETURN NULL;
END $$;
CREATE TRIGGER unconfirmed_transfer_tells AFTER INSERT ON unconfirmed_transfer
  REFERENCING NEW TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION notify_of_unconfirmed();
CREATE TRIGGER unconfirmed_transfer_tells_of_its_end AFTER DELETE ON unconfirmed_transfer
  REFERENCING OLD TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION notify_of_unconfirmed();

-- Each new block is one confirmation more for what is in a block already.
CREATE FUNCTION notify_of_confirmations() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM notify_members('deposits', (SELECT array_agg(DISTINCT member_id) FROM unconfirmed_transfer WHERE member_id > 0));
  PERFORM notify_members('withdrawals', (SELECT array_agg(DISTINCT member_id) FROM outgoing_transfer
    WHERE state IN ('prepared', 'signed') AND purpose = 'withdrawal' AND seen_block IS NOT NULL));
  RETURN NULL;
END $$;
CREATE TRIGGER chain_cursor_tells AFTER UPDATE OF head_block ON chain_cursor
  FOR EACH ROW WHEN (OLD.head_block <> NEW.head_block) EXECUTE FUNCTION notify_of_confirmations();

-- Opened, paid, cancelled or expired, also where no money moves: a member's other devices show it.
CREATE FUNCTION notify_of_invoices() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM notify_members('money', (SELECT array_agg(DISTINCT member_id) FROM fresh));
  RETURN NULL;
END $$;
CREATE TRIGGER invoice_tells AFTER INSERT ON invoice
  REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION notify_of_invoices();
CREATE TRIGGER invoice_tells_of_its_change AFTER UPDATE ON invoice
  REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION notify_of_invoices();

-- Not for the member: the API then ends the streams of sessions that have ended.
CREATE FUNCTION notify_of_session() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM notify_members('sessions', ARRAY[NEW.member_id]);
  RETURN NULL;
END $$;
CREATE TRIGGER session_tells AFTER UPDATE OF ended_at ON session
  FOR EACH ROW WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL) EXECUTE FUNCTION notify_of_session();
