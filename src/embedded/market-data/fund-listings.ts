/** ETFs in the format of `stockListings`, without shares. The London listings have different currencies on purpose. */
export const etfListings = `
# NYSE Arca, USD
SPY SPDR S&P 500 ETF Trust | 580
VOO Vanguard S&P 500 ETF | 535
IVV iShares Core S&P 500 ETF | 585
VTI Vanguard Total Stock Market ETF | 285
VTV Vanguard Value ETF
VUG Vanguard Growth ETF
VIG Vanguard Dividend Appreciation ETF
VYM Vanguard High Dividend Yield ETF
VEA Vanguard FTSE Developed Markets ETF
VWO Vanguard FTSE Emerging Markets ETF
VT Vanguard Total World Stock ETF | 120
VO Vanguard Mid-Cap ETF
VB Vanguard Small-Cap ETF
VNQ Vanguard Real Estate ETF
BSV Vanguard Short-Term Bond ETF
IWM iShares Russell 2000 ETF
IWF iShares Russell 1000 Growth ETF
IWD iShares Russell 1000 Value ETF
IJH iShares Core S&P Mid-Cap ETF
IJR iShares Core S&P Small-Cap ETF
AGG iShares Core U.S. Aggregate Bond ETF
LQD iShares iBoxx $ Investment Grade Corporate Bond ETF
HYG iShares iBoxx $ High Yield Corporate Bond ETF
TIP iShares TIPS Bond ETF
EEM iShares MSCI Emerging Markets ETF
IEMG iShares Core MSCI Emerging Markets ETF
SLV iShares Silver Trust
IAU iShares Gold Trust
GLD SPDR Gold Shares
DIA SPDR Dow Jones Industrial Average ETF Trust
MDY SPDR S&P MidCap 400 ETF Trust
XLK Technology Select Sector SPDR Fund
XLF Financial Select Sector SPDR Fund
XLE Energy Select Sector SPDR Fund
XLV Health Care Select Sector SPDR Fund
XLY Consumer Discretionary Select Sector SPDR Fund
XLP Consumer Staples Select Sector SPDR Fund
XLI Industrial Select Sector SPDR Fund
XLU Utilities Select Sector SPDR Fund
XLB Materials Select Sector SPDR Fund
XLRE Real Estate Select Sector SPDR Fund
XLC Communication Services Select Sector SPDR Fund
SCHD Schwab US Dividend Equity ETF
SCHB Schwab US Broad Market ETF
SCHX Schwab US Large-Cap ETF
SCHF Schwab International Equity ETF
RSP Invesco S&P 500 Equal Weight ETF
ARKK ARK Innovation ETF
JEPI JPMorgan Equity Premium Income ETF
# NASDAQ, USD
QQQ Invesco QQQ Trust | 500
QQQM Invesco NASDAQ 100 ETF
BND Vanguard Total Bond Market ETF | 73
BNDX Vanguard Total International Bond ETF
VXUS Vanguard Total International Stock ETF
VCIT Vanguard Intermediate-Term Corporate Bond ETF
VCSH Vanguard Short-Term Corporate Bond ETF
VGIT Vanguard Intermediate-Term Treasury ETF
TLT iShares 20+ Year Treasury Bond ETF
IEF iShares 7-10 Year Treasury Bond ETF
SHY iShares 1-3 Year Treasury Bond ETF
ACWI iShares MSCI ACWI ETF
IBIT iShares Bitcoin Trust ETF
SOXX iShares Semiconductor ETF
SMH VanEck Semiconductor ETF
ONEQ Fidelity Nasdaq Composite Index ETF
# Cboe BZX, USD
FBTC Fidelity Wise Origin Bitcoin Fund
EFV iShares MSCI EAFE Value ETF
GOVT iShares U.S. Treasury Bond ETF
INDA iShares MSCI India ETF
# LSE, GBP
VUSA.L Vanguard S&P 500 UCITS ETF (GBP)
ISF.L iShares Core FTSE 100 UCITS ETF
# LSE, USD
VUSD.L Vanguard S&P 500 UCITS ETF (USD)
CSPX.L iShares Core S&P 500 UCITS ETF
`;

/** Mutual funds. Each has one price a day and no other figures. */
export const mutualFundListings = `
# NASDAQ, USD
VTSAX Vanguard Total Stock Market Index Fund Admiral Shares | 140
VFIAX Vanguard 500 Index Fund Admiral Shares | 540
VTIAX Vanguard Total International Stock Index Fund Admiral Shares | 33
VBTLX Vanguard Total Bond Market Index Fund Admiral Shares
VWELX Vanguard Wellington Fund Investor Shares
VWIAX Vanguard Wellesley Income Fund Admiral Shares
VIGAX Vanguard Growth Index Fund Admiral Shares
VVIAX Vanguard Value Index Fund Admiral Shares
VSMAX Vanguard Small-Cap Index Fund Admiral Shares
VIMAX Vanguard Mid-Cap Index Fund Admiral Shares
VGSLX Vanguard Real Estate Index Fund Admiral Shares
VPMAX Vanguard PRIMECAP Fund Admiral Shares
VTTSX Vanguard Target Retirement 2060 Fund
VFIFX Vanguard Target Retirement 2050 Fund
VFORX Vanguard Target Retirement 2040 Fund
FXAIX Fidelity 500 Index Fund | 205
FSKAX Fidelity Total Market Index Fund
FTIHX Fidelity Total International Index Fund
FXNAX Fidelity U.S. Bond Index Fund
FCNTX Fidelity Contrafund
FMAGX Fidelity Magellan Fund
FBGRX Fidelity Blue Chip Growth Fund
FDGRX Fidelity Growth Company Fund
FZROX Fidelity ZERO Total Market Index Fund
FZILX Fidelity ZERO International Index Fund
SWPPX Schwab S&P 500 Index Fund
SWTSX Schwab Total Stock Market Index Fund
SWISX Schwab International Index Fund
SWAGX Schwab U.S. Aggregate Bond Index Fund
AGTHX American Funds The Growth Fund of America Class A
ANCFX American Funds Fundamental Investors Class A
AIVSX American Funds The Investment Company of America Class A
ABALX American Funds American Balanced Fund Class A
CWGIX American Funds Capital World Growth and Income Fund Class A
DODGX Dodge & Cox Stock Fund
DODIX Dodge & Cox Income Fund
PRGFX T. Rowe Price Growth Stock Fund
TRBCX T. Rowe Price Blue Chip Growth Fund
PTTRX PIMCO Total Return Fund Institutional Class
PIMIX PIMCO Income Fund Institutional Class
MDLOX BlackRock Global Allocation Fund Investor A Shares
OAKMX Oakmark Fund Investor Class
`;
