/** Treasury notes and bonds by CUSIP: identifier, coupon and maturity. Prices are in percent of par. */
export const bondListings = `
# OTC, USD
91282CBL4 US Treasury Note 1.125% 02/15/2031
91282CCB5 US Treasury Note 1.625% 05/15/2031
91282CCS8 US Treasury Note 1.25% 08/15/2031
91282CDJ7 US Treasury Note 1.375% 11/15/2031
91282CDY4 US Treasury Note 1.875% 02/15/2032
91282CEP2 US Treasury Note 2.875% 05/15/2032
91282CFF3 US Treasury Note 2.75% 08/15/2032
91282CFV8 US Treasury Note 4.125% 11/15/2032
91282CGM7 US Treasury Note 3.5% 02/15/2033
91282CHC8 US Treasury Note 3.375% 05/15/2033
91282CHT1 US Treasury Note 3.875% 08/15/2033
91282CJJ1 US Treasury Note 4.5% 11/15/2033
91282CJZ5 US Treasury Note 4% 02/15/2034
91282CKQ3 US Treasury Note 4.375% 05/15/2034
91282CLF6 US Treasury Note 3.875% 08/15/2034
91282CLW9 US Treasury Note 4.25% 11/15/2034
91282CMM0 US Treasury Note 4.625% 02/15/2035
912810SP4 US Treasury Bond 1.375% 08/15/2050
912810SU3 US Treasury Bond 1.875% 02/15/2051
912810SX7 US Treasury Bond 2.375% 05/15/2051
912810TN8 US Treasury Bond 3.625% 02/15/2053
912810TR9 US Treasury Bond 3.625% 05/15/2053
912810TT5 US Treasury Bond 4.125% 08/15/2053
912810TV0 US Treasury Bond 4.75% 11/15/2053
912810TX6 US Treasury Bond 4.25% 02/15/2054
912810UA4 US Treasury Bond 4.625% 05/15/2054
`;
