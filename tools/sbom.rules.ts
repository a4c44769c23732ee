/**
 * What ships, as CycloneDX, from the lockfile: with the packages of other systems, and without asking anybody. (`npm sbom --omit dev` leaves
 * out a shipped package that something of development needs too: fastify, pg and react among them.)
 */
import { z } from 'zod'

const locked = z.object({
  version: z.string().optional(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  license: z.string().optional(),
  link: z.boolean().optional(),
  dev: z.boolean().optional(),
  optional: z.boolean().optional(),
})
export const lockfile = z.object({ packages: z.record(z.string(), locked) })
type Locked = z.infer<typeof locked>

const FOLDER = 'node_modules/'

function component(place: string, { version = '', integrity, license, resolved, optional }: Locked) {
  const name = place.slice(place.lastIndexOf(FOLDER) + FOLDER.length)
  const [algorithm, digest] = integrity?.split('-') ?? []
  return {
    type: 'library',
    'bom-ref': `${name}@${version}`,
    name,
    version,
    scope: optional === true ? 'optional' : 'required',
    purl: `pkg:npm/${name.replace(/^@/, '%40')}@${version}`,
    ...(algorithm === 'sha512' &&
      digest !== undefined && {
        hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }],
      }),
    ...(license !== undefined && { licenses: [{ expression: license }] }),
    ...(resolved !== undefined && { externalReferences: [{ type: 'distribution', url: resolved }] }),
  }
}

/** @param made when, in UTC */
export function sbomOf({ packages }: z.infer<typeof lockfile>, product: string, made: Date) {
  const shipped = Object.entries(packages)
    .filter(([place, { link, dev }]) => place.includes(FOLDER) && link !== true && dev !== true)
    .map(([place, entry]) => component(place, entry))
  const byRef = new Map(shipped.map((each) => [each['bom-ref'], each]))
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      timestamp: made.toISOString(),
      component: { type: 'application', 'bom-ref': product, name: product },
    },
    components: [...byRef.values()].sort((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1)),
  }
}
