import { useFocusTrap } from '@mantine/hooks'
import { useEffect } from 'react'

/** Keeps the focus in the navigation while it lies over the page. It is fetched when that is first opened. */
export function SidebarTrap({ nav }: { nav: HTMLElement }) {
  const trap = useFocusTrap(true)
  useEffect(() => {
    trap(nav)
    return () => void trap(null)
  }, [trap, nav])
  return null
}
