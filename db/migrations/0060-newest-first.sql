-- Lists are by date, and by number within a moment: who joined or invested at once may get numbers in another order than dates.
CREATE INDEX sponsorship_by_date ON sponsorship (sponsor_id, joined_at, member_id);
