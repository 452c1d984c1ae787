import { pageColors } from '@ballot-beacon/contract/page-colors';
import { base } from '@ballot-beacon/contract/pages';
import { findAccountImage } from '../accounts/index.ts';
import type { Site } from '../sites/index.ts';

interface Icon {
  readonly src: string;
  readonly sizes: string;
  readonly type: string;
  readonly purpose?: 'maskable';
}

/** Browsers install nothing with a smaller icon, and draw these bigger on a start screen. */
const leastPixels = 192;
const ownIcons: readonly Icon[] = [
  { src: `${base}/icon-192.png`, sizes: '192x192', type: 'image/png' },
  { src: `${base}/icon-512.png`, sizes: '512x512', type: 'image/png' },
  {
    src: `${base}/icon-maskable.png`,
    sizes: '512x512',
    type: 'image/png',
    purpose: 'maskable',
  },
];

/** What a phone needs to put an office's page among its apps (https://www.w3.org/TR/appmanifest/). Nothing of a voter. */
export async function readManifest(site: Site): Promise<Readonly<Record<string, unknown>>> {
  const { name, county } = site.branding;
  const logo = await findLogoIcon(site);
  return {
    id: base,
    name,
    short_name: county || name,
    start_url: base,
    scope: base,
    display: 'standalone',
    background_color: pageColors.light.ground,
    theme_color: pageColors.light.top,
    icons: logo ? [logo] : ownIcons,
  };
}

/** @returns the office's logo, if it can be an icon: those are square, and a letterhead is not */
async function findLogoIcon(site: Site): Promise<Icon | undefined> {
  const { logo_url: src } = site.branding;
  if (site.kind !== 'account' || !src) return undefined;
  const image = await findAccountImage(site.db, site.account.accountId, 'logo');
  if (!image) return undefined;
  const { contentType: type, bytes } = image;
  if (type === 'image/svg+xml') {
    const box = /\sviewBox="[\d.-]+[\s,]+[\d.-]+[\s,]+([\d.]+)[\s,]+([\d.]+)"/i.exec(
      bytes.toString('utf8'),
    );
    return box && box[1] === box[2] ? { src, sizes: 'any', type } : undefined;
  }
  // Width and height of the first part of every PNG (https://www.w3.org/TR/png/#11IHDR).
  if (type !== 'image/png' || bytes.length < 24) return undefined;
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const isIcon = width === height && width >= leastPixels;
  return isIcon ? { src, sizes: `${width}x${height}`, type } : undefined;
}
