/** Where the parts of the product lie; tests give another layout with small stand-ins. */
import { join } from 'node:path'
import { root } from '../core/config.ts'

export interface Layout {
  readonly devnet: string
  readonly server: string
  readonly pictures: string
  readonly gateway: string
  readonly signer: string
  readonly approvals: string
  readonly auditor: string
  /** Makes key files. */
  readonly keys: string
  readonly seedDemo: string
  /** Folders of the web app and of the approvals page; null: nothing to build. */
  readonly web: string | null
  readonly approvalsPage: string | null
  /** Files of the data folder that every program may read: by which tests steer their stand-ins. */
  readonly orders?: readonly string[]
}

export const product: Layout = {
  devnet: join(root, 'apps/devnet/src/main.ts'),
  server: join(root, 'apps/server/src/main.ts'),
  pictures: join(root, 'apps/server/src/pictures/main.ts'),
  gateway: join(root, 'apps/gateway/src/main.ts'),
  signer: join(root, 'apps/gateway/src/signer/main.ts'),
  approvals: join(root, 'apps/approvals/src/main.ts'),
  auditor: join(root, 'apps/auditor/src/main.ts'),
  keys: join(root, 'apps/gateway/src/signer/cli/keys.ts'),
  seedDemo: join(root, 'apps/server/src/cli/seed-demo.ts'),
  web: join(root, 'apps/web'),
  approvalsPage: join(root, 'apps/approvals'),
}
