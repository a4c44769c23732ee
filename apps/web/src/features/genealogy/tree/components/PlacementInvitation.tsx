import { useTranslation } from 'react-i18next'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { IconShare } from '../../../../ui/icons.ts'
import { ReferralLink, referralUrl } from '../../../../ui/ReferralLink.tsx'
import type { Plot } from '../plot.ts'

interface PlacementInvitationProps {
  readonly plot: Plot
  /** The vacant place. */
  readonly node: number
  readonly refCode: string | undefined
  readonly onClose: () => void
}

/** The link for a new member at a vacant place, and what decides who gets that place. */
export function PlacementInvitation({ plot, node, refCode, onClose }: PlacementInvitationProps) {
  const { t } = useTranslation('genealogy/tree')
  const parent = plot.member(plot.layout.columns.parent[node] ?? 0)
  const name = parent?.node.name || parent?.node.username || ''
  const leg = plot.legOf(node)
  const share = () => {
    // Closing the system's sheet is a decision, not a failure.
    navigator.share({ url: referralUrl(refCode ?? '') }).catch(() => undefined)
  }
  return (
    <Dialog title={t('vacant.invite')} width={520} onClose={onClose}>
      <div className="tree-invitation">
        <p>{leg === null ? t('vacant.text') : t(`vacant.text${leg}`, { name })}</p>
        <ReferralLink refCode={refCode} qr />
        {'share' in navigator && refCode !== undefined ? (
          <Button icon={<IconShare size={17} stroke={1.7} />} onClick={share}>
            {t('vacant.share')}
          </Button>
        ) : null}
        <p className="muted small">{t('vacant.rule')}</p>
      </div>
    </Dialog>
  )
}
