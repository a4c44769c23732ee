import { Outlet } from 'react-router'
import { useSignedIn } from '../api/useSignedIn.ts'
import { BareLayout } from './BareLayout.tsx'
import { MemberApp } from './pages.ts'

/** Around what is not there: members keep their navigation, visitors get the message alone. */
export function Nowhere() {
  return useSignedIn() ? (
    <MemberApp />
  ) : (
    <BareLayout>
      <Outlet />
    </BareLayout>
  )
}
