-- What an operator may do follows from one role; `packages/contract/src/abilities.ts` says what each allows. Who was one before may do all.
ALTER TABLE member ADD COLUMN operator_role text
  CONSTRAINT member_operator_role_is_known CHECK (operator_role IN ('support', 'treasurer', 'compliance', 'admin'));
UPDATE member SET operator_role = 'admin' WHERE is_operator;
ALTER TABLE member ADD CONSTRAINT member_operator_has_a_role CHECK (is_operator = (operator_role IS NOT NULL));
