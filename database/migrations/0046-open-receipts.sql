-- A report that a provider repeats with another code keeps one of the two, in whatever order they come: recording any report therefore needs
-- the right to change its code, and without it no delivery report, bounce or complaint was recorded by these logins.
grant update (error_code) on receipts to beacon_intake, beacon_worker;
