/** Rules for all style sheets that no linter in use has. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const folders = ['../', '../../../../packages/look/src/', '../../../approvals/page/src/']
const sheets = folders
  .map((folder) => new URL(folder, import.meta.url))
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.css'))
      .map((name) => readFileSync(new URL(name, folder), 'utf8')),
  )

it('text has three weights: a browser makes a face of its own for each', () => {
  const weights = sheets.flatMap((sheet) =>
    [...sheet.matchAll(/font(?:-weight)?: *(\d{3}|bold\w*)(?! *\d)/g)].map(([, weight]) => weight),
  )
  expect([...new Set(weights)].sort()).toEqual(['400', '560', '620'])
})

it('pages change at 576, 768 and 992 px; there are three finer widths besides', () => {
  const widths = sheets.flatMap((sheet) =>
    [...sheet.matchAll(/@media \((max|min)-width: (\d+)px\)/g)].map(([, side, width]) =>
      side === 'max' ? Number(width) + 1 : Number(width),
    ),
  )
  expect([...new Set(widths)].sort((one, other) => one - other)).toEqual([360, 480, 576, 768, 992, 1280])
})
