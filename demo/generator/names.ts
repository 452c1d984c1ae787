import type { Random } from './random.ts';

interface Community {
  readonly older: readonly string[];
  readonly younger: readonly string[];
  readonly last: readonly string[];
}

const words = (text: string): readonly string[] =>
  text
    .trim()
    .split(/\s+/)
    .map((word) => word.replaceAll('_', ' '));

// Common given and family names, drawn independently of each other: no entry is a person.
const communities: readonly (readonly [Community, number])[] = [
  [
    {
      older: words(`James Mary John Patricia Linda William Barbara Richard Susan Thomas Carol Donald
        Judith Ronald Betty Gerald Dorothy Kenneth Joyce Larry Shirley Raymond Marilyn Walter Evelyn
        Harold Lois Eugene Norma Roy Marjorie`),
      younger: words(`Emily Michael Jessica Christopher Ashley Matthew Sarah Joshua Amanda Andrew
        Lauren Tyler Megan Ryan Brittany Kyle Abigail Ethan Madison Logan Grace Hunter Olivia Mason
        Chloe Caleb`),
      last: words(`Smith Anderson Miller Wilson Moore Taylor Clark Lewis Walker Hall Allen Young King
        Wright Hill Scott Green Baker Nelson Carter Mitchell Campbell Roberts Turner Phillips Parker
        Evans Edwards Collins Stewart Morris Rogers Cook Murphy O'Connor O'Neill McCarthy McDonald
        FitzGerald Sullivan Becker Hoffmann Schultz Larsen Bergstrom Smith-Hayes Van_Horn St._John Prescott
        Langley Thornbury Ashworth`),
    },
    36,
  ],
  [
    {
      older: words(`Willie Ernestine Clarence Bernice Otis Lucille Leroy Hattie Cleveland Odessa
        Nathaniel Geraldine Roosevelt Ruby Alphonso Mattie`),
      younger: words(`Tanisha Marcus Keisha Terrence Latoya Andre Ebony Jamal Imani Malik Aaliyah
        DeShawn Jasmine Isaiah Nia Xavier Kiara Trevon`),
      last: words(`Williams Jackson Robinson Harris Washington Jefferson Banks Booker Coleman Simmons
        Gaines Dawkins Mosley Broadnax Gadson Rolle Ferguson Stubbs Pinder McQueen Hightower Battle`),
    },
    15,
  ],
  [
    {
      older: words(`José María Juan Ana Carlos Carmen Luis Rosa Jorge Teresa Rafael Mercedes Ángel
        Josefina Héctor Beatriz Ramón Ofelia Víctor Dolores`),
      younger: words(`Daniela Alejandro Valeria Andrés Camila Sebastián Gabriela Mateo Natalia Diego
        Isabella Adrián Lucía Javier Mariana Iván Ximena Raúl`),
      last: words(`Rodríguez Hernández González Pérez Fernández López Martínez Díaz Álvarez Suárez
        Ramírez Ortiz Cruz Reyes Morales Castillo Delgado Peña Quiñones Ibáñez Figueroa Colón Rivera
        Santiago Cabrera Fuentes Salazar Montoya Ruiz-Ortega Vega-Soto Zúñiga`),
    },
    24,
  ],
  [
    {
      older: words(
        'Jean Marie-Ange Pierre Yolande Jacques Mirlande Wilner Rose-Marie Frantz Guerda',
      ),
      younger: words(
        'Stephanie Wendy Ricardo Nadège Kervens Fabiola Woodley Islande Stanley Daphné',
      ),
      last: words(`Pierre-Louis Jean-Baptiste Toussaint Desrosiers François Charles Étienne Saint-Fleur
        Dorvil Louissaint Cadet Beauvoir Mondésir`),
    },
    6,
  ],
  [
    {
      older: words('Minh Lan Hung Hoa Thanh Mai Duc Nga Quang Bich Loan Tam'),
      younger: words('Kevin Vy Andy Thao Brandon Linh Tiffany Khoa Vivian Huy'),
      last: words('Nguyen Tran Le Pham Hoang Phan Vu Dang Bui Do Ngo Duong'),
    },
    4,
  ],
  [
    {
      older: words('Rodolfo Corazon Ernesto Milagros Renato Lourdes Danilo Erlinda Wei Mei-Ling'),
      younger: words(
        'Jericho Princess Mark-Anthony Kristine Paolo Angelica Jun Xin-Yi Min-Jun Soo-Ah',
      ),
      last: words(`Santos Bautista Dela_Cruz Villanueva Manalo Pangilinan Chen Wang Liu Zhang Kim Park
        Choi Yoon`),
    },
    5,
  ],
  [
    {
      older: words(
        'Ramesh Sunita Suresh Kamala Ashok Lakshmi Harbhajan Nasreen Abdul Fatima Samir',
      ),
      younger: words('Anjali Rohan Neha Arjun Divya Zain Layla Omar Noor Yusuf Meera Karim'),
      last: words(`Patel Sharma Reddy Iyer Singh Kaur Desai Khan Ahmed Haddad Al-Sayed Mansour Rahman
        Chowdhury Nasser`),
    },
    5,
  ],
  [
    {
      older: words(
        'Irving Sylvia Morton Rhoda Vladimir Galina Boris Ludmila Stanisław Halina Zoltán',
      ),
      younger: words('Rachel Dmitri Alina Jakub Maxim Katya Noah Leah Anya Ilya'),
      last: words(`Goldberg Rosenthal Katz Feldman Ivanov Petrenko Kowalski Wiśniewski Novák Horváth
        Abramowitz Dvořák`),
    },
    5,
  ],
];

// Names for anyone, because the generator does not know a voter's sex.
const middleNames =
  words(`Lee Jordan Avery Rae Blair Morgan Reese Ellis Drew Sage Quinn Marion Robin
  Leslie Dale Noel Angel Cruz Rosario Sol Kai Lane Shay Jean`);

const namedAfterFathers =
  words(`James John William Richard Thomas Donald Ronald Gerald Kenneth Larry
  Raymond Walter Harold Eugene Roy Michael Christopher Matthew Joshua Andrew Tyler Ryan Kyle Willie
  Clarence Otis Leroy Nathaniel Roosevelt Alphonso Marcus Terrence Andre Jamal Malik José Juan Carlos
  Luis Jorge Rafael Héctor Ramón Víctor Alejandro Andrés Mateo Javier Jean Pierre Jacques Frantz
  Rodolfo Ernesto Renato Danilo`);

export interface Name {
  readonly firstname: string;
  readonly middlename: string;
  readonly lastname: string;
  readonly suffix: string;
}

/** Invents a name for someone born in `year`; `lastname` when the household has one already. */
export function inventName(random: Random, year: number, lastname?: string): Name {
  const community = random.weigh(communities);
  const firstname = random.pick(year < 1975 ? community.older : community.younger);
  const middlename = random.weigh([
    ['', 30],
    [random.pick(middleNames), 45],
    [random.pick(middleNames).slice(0, 1), 25],
  ]);
  const suffix =
    namedAfterFathers.includes(firstname) && random.chance(0.08)
      ? random.pick(['Jr', 'Sr', 'III', 'II', 'Jr.'])
      : '';
  return { firstname, middlename, lastname: lastname ?? random.pick(community.last), suffix };
}

/** A name the way any search compares it: no case, accents, spaces, hyphens or apostrophes. */
export function foldName(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/[łŁ]/g, 'l')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase();
}
