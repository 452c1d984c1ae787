# Read in by the scripts beside it.

# with_login ADDRESS PROGRAM …: runs a program of PostgreSQL at this address. Its password goes by the environment: arguments can be read
# by every user of the machine, and stand in `systemctl status`.
with_login() {
  address=$1
  program=$2
  shift 2
  authority=${address#*://}
  authority=${authority%%[/?]*}
  case $authority in
  *:*@*)
    user=${authority%@*}
    PGPASSWORD=$(decode "${user#*:}") \
      "$program" --dbname="${address%%://*}://${user%%:*}${address#*"$user"}" "$@"
    ;;
  *) "$program" --dbname="$address" "$@" ;;
  esac
}

# A text of an address, in which %40 stands for @.
decode() {
  ENCODED=$1 LC_ALL=C awk 'BEGIN {
    text = ENVIRON["ENCODED"]
    while (match(text, /%[0-9A-Fa-f][0-9A-Fa-f]/)) {
      high = index("0123456789abcdef", tolower(substr(text, RSTART + 1, 1))) - 1
      low = index("0123456789abcdef", tolower(substr(text, RSTART + 2, 1))) - 1
      printf "%s%c", substr(text, 1, RSTART - 1), 16 * high + low
      text = substr(text, RSTART + 3)
    }
    print text
  }'
}
