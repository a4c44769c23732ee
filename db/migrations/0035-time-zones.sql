-- In which time zone a member reads times: a name of the IANA's list, as the server checked it. NULL: none was said yet, and the plan's counts.
ALTER TABLE member ADD COLUMN time_zone text CHECK (time_zone ~ '^[A-Za-z0-9_+/-]{1,64}$');
ALTER TABLE member ADD CONSTRAINT member_closed_is_nowhere CHECK (closed_at IS NULL OR time_zone IS NULL);

-- Where somebody lives leaves the row with the rest of the person.
CREATE FUNCTION forget_time_zone() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  NEW.time_zone := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER member_closed_goes_nowhere BEFORE UPDATE ON member
  FOR EACH ROW WHEN (OLD.closed_at IS NULL AND NEW.closed_at IS NOT NULL) EXECUTE FUNCTION forget_time_zone();

GRANT INSERT (time_zone), UPDATE (time_zone) ON member TO aval_server;
