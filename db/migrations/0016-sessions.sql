-- What a member sees of sign-ins, and can end; and what is dropped when it can no longer matter.

-- Where the sign-in came from, for its member to recognise it by.
ALTER TABLE session ADD COLUMN ip text NOT NULL DEFAULT '' CHECK (length(ip) <= 64);

ALTER TABLE session DROP CONSTRAINT session_ended_because_check;
ALTER TABLE session ADD CONSTRAINT session_ended_because_check
  CHECK (ended_because IN ('logout', 'reuse', 'password', 'not_me', 'two_factor', 'ended'));

ALTER TABLE security_event DROP CONSTRAINT security_event_kind_check;
ALTER TABLE security_event ADD CONSTRAINT security_event_kind_check
  CHECK (kind IN ('wallet_changed', 'email_changed', 'password_changed', 'password_reset', 'two_factor_on',
    'two_factor_off', 'recovery_code_used', 'recovery_codes_renewed', 'signed_in_new', 'sessions_ended', 'not_me'));

-- Old sessions and codes that died go with the nightly sweep.
GRANT DELETE ON session, email_code TO aval_app;
