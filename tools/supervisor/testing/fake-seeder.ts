import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const { DATA_DIR = '', DEMO_PASSWORD = '' } = process.env
for (let done = 1; done <= 30; done += 1) process.send?.({ progress: { done, total: 30, label: 'Day' } })
const signIns = ['member', 'fundator', 'operator'].map((role) => ({
  role,
  username: `demo-${role}`,
  password: DEMO_PASSWORD,
  ...(role === 'operator' && { totp: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', memberId: '7' }),
}))
writeFileSync(join(DATA_DIR, 'demo.json'), JSON.stringify({ signIns }), { mode: 0o600 })
process.send?.({ signIns }, () => process.exit(0))
