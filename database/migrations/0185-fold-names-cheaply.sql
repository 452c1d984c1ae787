-- A first roll took a fifth of its time to fold names and contacts for the search. The results stay what they were, and so the
-- indexes on them do: a test compares the branches of each function.

create or replace function match_name(name text) returns text
  language sql immutable parallel safe
  return case
    -- Nothing to remove, as in nearly every row of a roll. The mark is roll_name()'s.
    when name collate "C" ~ '^[A-Za-z0-9!]*$' then upper(name collate "C")
    -- Plain ASCII, without the cost of Unicode.
    when name collate "C" ~ '^[ -~]*$' then upper(translate(name, ' ''`-_.,', '') collate "C")
    -- Letters of Western Europe that are an ASCII letter with a mark: of what Unicode knows, only marks are to be removed.
    when name collate "C" ~ '^[ -~À-ÅÇ-ÏÑ-ÖÙ-Ýà-åç-ïñ-öù-ýÿ]*$'
      then upper(regexp_replace(normalize(name, NFKD), '[\u0300-\u036f ''`\-_.,]+', '', 'g') collate "C")
    else upper(regexp_replace(
      translate(replace(replace(replace(replace(replace(replace(normalize(name, NFKD),
        'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'),
        'øØłŁđĐðÐɖƉħĦŧŦıȷ', 'oOlLdDdDdDhHtTij'),
      -- Combining marks; spaces and what is invisible; apostrophes, modifier letters and primes; dots; dashes.
      '[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f'
        '\s\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff'
        '''`´’‘‚‛\u02b9-\u02df\u02ee\u2032-\u2037\u05f3\u07f4\u07f5\ua78b\ua78c'
        '.,·‧・\-_\u2010-\u2015\u2043\u2212]', '', 'g'))
  end;

-- An import stores every phone number as +1 and ten digits.
create or replace function roll_contacts(phone text, email text) returns text[]
  language sql immutable parallel safe
  return array[lower(email), case
    when starts_with(phone, '+1') and length(phone) = 12 then right(phone, 10)
    else right(translate(phone, ' ()-.+', ''), 10) end];
