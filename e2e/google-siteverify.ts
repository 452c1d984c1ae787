/** Stands in for Google at the edge of the network: the server under test asks it for real, and it is not there. */
const { fetch } = globalThis;

globalThis.fetch = async (input, init) => {
  if (String(input) !== 'https://www.google.com/recaptcha/api/siteverify')
    return fetch(input, init);
  const form = new URLSearchParams(String(init?.body));
  const isGood = form.get('secret') === 'secret' && form.get('response')?.startsWith('ticked-');
  return Response.json({ success: isGood === true });
};
