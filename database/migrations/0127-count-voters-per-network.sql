-- Who signed in from a network in the last hour, by keyed hashes of both: an address that signs in many voters is seen.
create table network_voters (
  network_key bytea not null,
  person_key bytea not null,
  expires_at timestamptz not null,
  primary key (network_key, person_key)
);
create index network_voters_by_expiry on network_voters (expires_at);
grant select, insert, update, delete on network_voters to beacon_api;
