import { useFocusTrap } from '@mantine/hooks'
import { useEffect } from 'react'
import { useBackCloses } from '../../ui/useBackCloses.ts'

/** Keeps the focus in the navigation while it lies over the page; back closes it. It is fetched when that is first opened. */
export function SidebarTrap({ nav, onClose }: { nav: HTMLElement; onClose: () => void }) {
  useBackCloses(true, onClose)
  const trap = useFocusTrap(true)
  useEffect(() => {
    trap(nav)
    return () => void trap(null)
  }, [trap, nav])
  return null
}
