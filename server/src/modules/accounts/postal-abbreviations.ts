const states =
  'AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY';
const territories = 'DC AS GU MP PR VI';

/** Of the states and territories that hold elections, as USPS writes them (Publication 28, appendix B). */
export const postalAbbreviations: ReadonlySet<string> = new Set(
  `${states} ${territories}`.split(' '),
);
