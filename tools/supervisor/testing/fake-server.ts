import { behave, orders } from './fake-child.ts'

const role = process.env['ROLE'] ?? ''
behave(
  orders(role, process.env['DATA_DIR']),
  role === 'api' ? process.env['PORT'] : undefined,
  process.env['HOST'],
  process.env['SHARED_PORT'] === 'on',
)
