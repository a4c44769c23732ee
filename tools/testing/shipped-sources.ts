/** The sources of what runs where money is real: without tests, and without the development chain. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../core/config.ts'

const FOLDERS = [
  'apps/{server,gateway,approvals,web}/src/**/*.{ts,tsx}',
  'apps/approvals/page/src/**/*.{ts,tsx}',
  'packages/*/src/**/*.ts',
  'db/src/**/*.ts',
  'tools/{supervisor,core}/**/*.ts',
]
const LEFT_OUT = /\.test\.tsx?$|\/testing\/|\/testing\.ts$|\.generated\.ts$|db\/src\/ephemeral\.ts$/

export function sourceFiles(): { readonly file: string; readonly text: string }[] {
  return globSync(FOLDERS, { cwd: root })
    .filter((file) => !LEFT_OUT.test(file))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
}
