-- By when, by which rule and where a ballot of an election must be returned, as its office announces it:
-- {"rule": "received" | "postmarked", "date": "YYYY-MM-DD", "time": "HH:mm" or null, "place": text}.
alter table elections add column return_deadline jsonb
  check (return_deadline->>'rule' in ('received', 'postmarked') and return_deadline ? 'date');
