# Read in by the scripts beside it.

# with_login ADDRESS PROGRAM …: runs a program of PostgreSQL at this address. Its password goes by the environment: arguments can be read
# by every user of the machine, and stand in `systemctl status`.
with_login() (
  address=$1
  program=$2
  shift 2
  case $address in
  *sslrootcert=*) ;;
  *sslmode=verify-*) trust_machine ;;
  esac
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
)

# Programs of PostgreSQL know no authorities by themselves. Those of the machine, as the processes do.
trust_machine() {
  if [ -n "${PGSSLROOTCERT:-}" ] || [ -e "${HOME:-}/.postgresql/root.crt" ]; then return 0; fi
  for file in /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt; do
    if [ -r "$file" ]; then
      export PGSSLROOTCERT="$file"
      return 0
    fi
  done
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
