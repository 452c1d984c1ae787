/** A refusal as the server writes it, to fulfill a call with. @param more what else of the problem the page reads */
export const problem = (status: number, detail: string, more: object = {}) => ({
  status,
  contentType: 'application/problem+json',
  json: { title: detail, status, detail, ...more },
});
