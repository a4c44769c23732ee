import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './Button.tsx'
import { IconShare } from './icons.ts'
import { lazyPart } from './lazyPart.ts'
import { Overlay } from './Overlay.tsx'

const ShareSheet = lazyPart(async () => ({ default: (await import('./share/ShareSheet.tsx')).ShareSheet }))

/** Offers a registration link to others. The sheet it opens is fetched when the button is reached. */
export function ShareButton({ url }: { url: string }) {
  const { t } = useTranslation('ui')
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button
        className="button-square"
        aria-label={t('share')}
        aria-haspopup="dialog"
        title={t('share')}
        onPointerEnter={ShareSheet.prefetch}
        onFocus={ShareSheet.prefetch}
        onClick={() => setOpen(true)}
      >
        <IconShare size={19} stroke={1.6} />
      </Button>
      {open ? (
        <Overlay onClose={close}>
          <ShareSheet url={url} onClose={close} />
        </Overlay>
      ) : null}
    </>
  )
}
