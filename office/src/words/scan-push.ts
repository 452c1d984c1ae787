/** The console's texts about the scans that USPS pushes. */
export const scanPush = {
  'scanPush.link': 'USPS scans',
  'scanPush.title': 'Scans from USPS',
  'scanPush.help':
    'USPS pushes the scans of your envelopes to this address, with this user name and a password. Enter all three in the Business Customer Gateway, under Informed Visibility.',
  'scanPush.url': 'Address',
  'scanPush.user': 'User name',
  'scanPush.password': 'Password',
  'scanPush.none': 'There is no password yet, so no scans come by push.',
  'scanPush.made': 'The password was made {{at}}. Only its hash is kept, so it cannot be shown.',
  'scanPush.make': 'Make a password',
  'scanPush.renew': 'Make a new password',
  'scanPush.renew.sure':
    'Make a new password? The old one stops working at once, and no scans come until USPS has the new one.',
  'scanPush.shown':
    'Copy it now: it is shown this once. Give it to USPS, and keep it where you keep passwords.',
  'scanPush.copy': 'Copy the password',
  'scanPush.copied': 'Copied.',
} as const;
