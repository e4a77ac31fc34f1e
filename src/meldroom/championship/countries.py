"""Country codes, so that one country is not counted as two: `gbr`, `GB` and `GBR` are all GBR.

Sport's own codes are used (GER, NED, SUI), as on the lists of the World Championship; ISO's codes of two
and of three letters are understood.
"""

from __future__ import annotations

from functools import cache

# Sport's code, ISO's two letters, and ISO's three letters where they differ.
_CODES = """
AFG AF, ALB AL, ALG DZ DZA, AND AD, ANG AO AGO, ANT AG ATG, ARG AR, ARM AM, ARU AW ABW, ASA AS ASM,
AUS AU, AUT AT, AZE AZ, BAH BS BHS, BAN BD BGD, BAR BB BRB, BDI BI, BEL BE, BEN BJ, BER BM BMU,
BHU BT BTN, BIH BA, BIZ BZ BLZ, BLR BY, BOL BO, BOT BW BWA, BRA BR, BRN BH BHR, BRU BN, BUL BG BGR,
BUR BF BFA, CAF CF, CAM KH KHM, CAN CA, CAY KY CYM, CGO CG COG, CHA TD TCD, CHI CL CHL, CHN CN,
CIV CI, CMR CM, COD CD, COK CK, COL CO, COM KM, CPV CV, CRC CR CRI, CRO HR HRV, CUB CU, CYP CY,
CZE CZ, DEN DK DNK, DJI DJ, DMA DM, DOM DO, ECU EC, EGY EG, ERI ER, ESA SV SLV, ESP ES, EST EE,
ETH ET, FIJ FJ FJI, FIN FI, FRA FR, FSM FM, GAB GA, GAM GM GMB, GBR GB, GBS GW GNB, GEO GE,
GEQ GQ GNQ, GER DE DEU, GHA GH, GRE GR GRC, GRN GD GRD, GUA GT GTM, GUI GN GIN, GUM GU, GUY GY,
HAI HT HTI, HKG HK, HON HN HND, HUN HU, INA ID IDN, IND IN, IRI IR IRN, IRL IE, IRQ IQ, ISL IS,
ISR IL, ISV VI VIR, ITA IT, IVB VG VGB, JAM JM, JOR JO, JPN JP, KAZ KZ, KEN KE, KGZ KG, KIR KI,
KOR KR, KOS XK XKX, KSA SA SAU, KUW KW KWT, LAO LA, LAT LV LVA, LBA LY LBY, LBN LB, LBR LR, LCA LC,
LES LS LSO, LIE LI, LTU LT, LUX LU, MAC MO, MAD MG MDG, MAR MA, MAS MY MYS, MAW MW MWI, MDA MD,
MDV MV, MEX MX, MGL MN MNG, MHL MH, MKD MK, MLI ML, MLT MT, MNE ME, MON MC MCO, MOZ MZ, MRI MU MUS,
MTN MR MRT, MYA MM MMR, NAM NA, NCA NI NIC, NED NL NLD, NEP NP NPL, NGR NG NGA, NIG NE NER, NOR NO,
NRU NR, NZL NZ, OMA OM OMN, PAK PK, PAN PA, PAR PY PRY, PER PE, PHI PH PHL, PLE PS PSE, PLW PW,
PNG PG, POL PL, POR PT PRT, PRK KP, PUR PR PRI, QAT QA, ROU RO, RSA ZA ZAF, RUS RU, RWA RW,
SAM WS WSM, SEN SN, SEY SC SYC, SGP SG, SKN KN KNA, SLE SL, SLO SI SVN, SMR SM, SOL SB SLB, SOM SO,
SRB RS, SRI LK LKA, SSD SS, STP ST, SUD SD SDN, SUI CH CHE, SUR SR, SVK SK, SWE SE, SWZ SZ, SYR SY,
TAN TZ TZA, TGA TO TON, THA TH, TJK TJ, TKM TM, TLS TL, TOG TG TGO, TPE TW TWN, TTO TT, TUN TN,
TUR TR, TUV TV, UAE AE ARE, UGA UG, UKR UA, URU UY URY, USA US, UZB UZ, VAN VU VUT, VEN VE,
VIE VN VNM, VIN VC VCT, YEM YE, ZAM ZM ZMB, ZIM ZW ZWE, ENG, SCO, WAL, NIR, FRO FO, GIB GI, GGY GG,
JEY JE, IMN IM, GRL GL
"""
_SHORTEST, _LONGEST = 2, 3


@cache
def _known() -> dict[str, str]:
    """Every code that is understood, with the one that is written."""
    words = [each.split() for each in _CODES.split(",")]
    return {code: each[0] for each in words for code in each}


def _is_code(text: str) -> bool:
    return _SHORTEST <= len(text) <= _LONGEST and text.isascii() and text.isalpha()


def country_of(text: str) -> str:
    """A country as it is written: a code in capitals, and always the same one; names stay as they are.

    >>> [country_of(text) for text in ("gbr", "GB", "nld", "Utopia")]
    ['GBR', 'GBR', 'NED', 'Utopia']
    """
    plain = " ".join(text.split())
    return _known().get(plain.upper(), plain.upper()) if _is_code(plain) else plain


def is_unknown_code(text: str) -> bool:
    """Whether a country looks like a code, and no country has it."""
    return _is_code(text) and text.upper() not in _known()
