-- What providers reported of a message, for clerks at the console.

grant select on receipts to beacon_office;
