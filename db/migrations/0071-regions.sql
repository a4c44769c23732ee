-- How a member writes figures: a region of the list that the server checks, as es-MX. NULL: none was said yet, and the language's counts.
ALTER TABLE member ADD COLUMN region text CHECK (region ~ '^[a-z]{2}-[A-Z]{2}$');
ALTER TABLE member DROP CONSTRAINT member_closed_is_nowhere;
ALTER TABLE member ADD CONSTRAINT member_closed_is_nowhere CHECK (closed_at IS NULL OR (time_zone IS NULL AND region IS NULL));

-- Where somebody lives leaves the row with the rest of the person.
CREATE OR REPLACE FUNCTION forget_time_zone() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  NEW.time_zone := NULL;
  NEW.region := NULL;
  RETURN NEW;
END $$;

GRANT INSERT (region), UPDATE (region) ON member TO aval_server;
